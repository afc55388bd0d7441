import asyncio
from pathlib import Path

import pytest

from support.stored_evening import play_evening


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hundred rounds of all four rulebooks in a store, played once per session."""
    path = tmp_path_factory.mktemp("evening") / "house.db"
    asyncio.run(play_evening(path, rounds=25))
    return path
