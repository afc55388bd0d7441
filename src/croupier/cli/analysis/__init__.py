"""The commands of exact mathematics."""

from croupier.cli.analysis.advise import advise
from croupier.cli.analysis.analyze import analyze
from croupier.cli.analysis.certificate import app as certificate
from croupier.cli.analysis.compare import compare
from croupier.cli.analysis.cost import cost
from croupier.cli.analysis.design import design
from croupier.cli.analysis.meter import meter
from croupier.cli.analysis.strategy import strategy

__all__ = ["advise", "analyze", "certificate", "compare", "cost", "design", "meter", "strategy"]
