"""What monitoring reads, in the form of Prometheus; nothing here names a person, a card or a key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from croupier.errors import RuleViolation
from croupier.table.commands import COMMANDS

__all__ = ["Metrics"]


class Metrics:
    """Counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "croupier_requests", "HTTP requests", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "croupier_request_seconds", "Seconds until an HTTP request was answered", ["route"], registry=self.registry
        )
        self.commands = Counter(
            "croupier_commands", "Commands at tables", ["command", "outcome"], registry=self.registry
        )
        self.command_seconds = Histogram(
            "croupier_command_seconds",
            "Seconds until a command was durable",
            registry=self.registry,
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0),
        )
        self.tables = Gauge(
            "croupier_tables", "Tables that this process runs or follows", ["how"], registry=self.registry
        )
        self.sockets = Gauge("croupier_sockets", "Open live sockets", registry=self.registry)
        self.troubled = Gauge(
            "croupier_troubled", "Tables and tasks that do not go on by themselves now", registry=self.registry
        )
        self.commits = Gauge("croupier_commits", "Batches that this process has committed", registry=self.registry)

    @contextmanager
    def command(self, name: str) -> Iterator[None]:
        """Count a command and its outcome."""
        known, begun, outcome = name if name in COMMANDS else "unknown", perf_counter(), "failed"
        try:
            yield
            outcome = "done"
        except RuleViolation:
            outcome = "refused"
            raise
        finally:
            self.commands.labels(known, outcome).inc()
            self.command_seconds.observe(perf_counter() - begun)

    def text(self) -> bytes:
        """Everything, for whoever collects it."""
        return generate_latest(self.registry)
