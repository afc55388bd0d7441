import os
import shutil
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("slice", max_examples=150, deadline=None)
settings.register_profile("torture", max_examples=20_000, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("slice")
    # A terminal's width and colours must not change what a test reads.
    os.environ.update(COLUMNS="80", NO_COLOR="1")
    # Workers take it over from the process that starts them; nobody's own results are read or kept.
    if not hasattr(config, "workerinput"):
        os.environ["CROUPIER_CACHE"] = tempfile.mkdtemp(prefix="croupier-kept-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["CROUPIER_CACHE"], ignore_errors=True)
