"""What a round waits for, said in words."""

from typing import get_args

import pytest

from croupier.games import Awaiting
from croupier.rulebook.names import Act


@pytest.mark.parametrize("act", get_args(Act))
def test_every_act_of_the_dealer_has_its_words(act: Act) -> None:
    words = str(Awaiting("act", act=act))
    assert words.startswith("the dealer to ")
    assert [other for other in get_args(Act) if str(Awaiting("act", act=other)) == words] == [act]
