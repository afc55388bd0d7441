"""Check certificates of priced wagers, `croupier/certificate/1`.

Usage: python check_certificate.py FILE... [--no-recount] [--rulebook RULEBOOK.json] [--key PUBLIC]

Written from the specification (certificates.md) alone: it shares no code with the program that prices, so that a
mistake in one of them shows as a disagreement. It needs nothing but Python 3.11 or later.

For each certificate it checks the form, the hash, every sum and every figure that follows from the counts, with exact
fractions; then, unless --no-recount is given, it counts all hands again by methods of its own, exactly:

  three cards       every hand
  five, six cards   every set of cards up to an exchange of suits, times the number of sets that it stands for
  seven cards       what no suit shows, by polynomials of one suit whose x counts cards; at most one four of a kind
  streets           best play backwards over the same sets of cards, then all deals forwards through it
  highest_of        for every flop the graph of the pairs that reach a line; its matchings by inclusion and exclusion
  against_dealer    every flush of the player, with the other suits collapsed to what the dealer's count needs of them

A certificate alone cannot show that its pays are those of the document it names. With --rulebook and the file that
`croupier certificate rulebook NAME` writes, `rulebook_hash` is checked to be the SHA-256 of that file, and the wager,
paytable, clause, pays, stake and rules to be what that file prints. Without it every verdict says that they were not
compared. A certificate whose clause is "custom" claims no document, and its verdict says so.

The date, the software and a signature in `issued` are checked too: its hash, and Ed25519 in plain Python. A signature
shows who signed only if you have that public key from somewhere else: give it with --key.

Each certificate gets one line: "valid: recounted", "valid: arithmetic only" (then the counts themselves, and
`average_wager`, are only claimed), or what is wrong. The exit code is 0 when all hold, 1 when one does not, and 2, with
one line on standard error, when a file does not have the form. Never checked: the texts that only describe (`made_by`,
`unit`, `method`, `variant`) and the figure `envy_per_other_player`.
"""

import argparse
import hashlib
import json
import math
import os
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, groupby, product, zip_longest
from typing import Any, NamedTuple, TypeVar

STRONG = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind two_pair".split()
PAIRS = {"pair": range(2, 15), "pair_jacks_or_better": range(11, 15), "pair_tens_or_better": range(10, 15)}
PAIRS["pair_sixes_to_tens"] = range(6, 11)
NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
CARDS_SEEN = {"three_card": 3, "five_card": 5, "six_card": 6, "flush": 7, "straight_flush": 7}
HANDS = {  # the lines that each evaluator knows
    "three_card": {"mini_royal", "ace_king_queen_spades", "ace_king_queen_other", "straight_flush"}
    | {"three_of_a_kind", "straight", "flush", *PAIRS},
    "five_card": {*STRONG, *PAIRS},
    "six_card": {"super_royal", "super_royal_diamonds", "super_royal_other", *STRONG, *PAIRS},
    "flush": {f"{number}_card_flush" for number, cards in NUMBERS.items() if cards >= 4},
    "straight_flush": {f"{number}_card_straight_flush" for number in NUMBERS}
    | {"suited_nine_to_ace", "four_of_a_kind"},
    "against_dealer": {"win"},
}
NOTHING = (("nothing", "loses"),)  # what follows the printed lines, and in the game against the dealer:
ENDINGS = (("dealer_does_not_qualify", "1 to 1 on the ante"), ("tie", "Push"), ("lose", "loses"), ("fold", "loses"))
METERS = {"meter": "main", "Mega Progressive": "mega", "Major Progressive": "major", "Minor Progressive": "minor"}

# The form: texts by patterns, whole numbers by ranges, objects by their keys (those with ? may be missing).
TEXT, COUNT, FRACTION = ".*", "0|[1-9][0-9]{0,99}", "-?[0-9]{1,999}(/[1-9][0-9]{0,999})?"
MONEY, SHA256 = r"(0|[1-9][0-9]{0,14})\.[0-9]{2}", "[0-9a-f]{64}"
TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
AMOUNT = r"((?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,4})?)"  # 8,000 or 8000 or 2.50
COMMON = {"game": TEXT, "lines": [{"hand": TEXT, "pays": TEXT}]}
SIDE_BET = COMMON | {"evaluator": "five_card", "stake": rf"(?!0\.00){MONEY}", "collected": bool}
QUALIFIER = {"length": range(2, 8), "ranks": [range(2, 15)]}
PROGRESSIVE = {"meters?": {f"{name}?": MONEY for name in METERS.values()}}
RULES = {
    "hands": SIDE_BET | PROGRESSIVE | {"evaluator": "|".join(CARDS_SEEN), "ace_low?": bool},
    "hands_not_folded": SIDE_BET | PROGRESSIVE | {"main": dict},
    "highest_of": SIDE_BET | {"players": range(1, 25)},
    "streets": COMMON | {"first": range(1, 5), "adds": [range(1001)], "fold": bool},
    "against_dealer": COMMON | {"qualifier": QUALIFIER, "most_raise": dict.fromkeys("234567", range(1, 1001))},
}
CERTIFICATE = dict.fromkeys("made_by rulebook wager paytable clause method".split(), TEXT) | {
    "schema": "croupier/certificate/1",
    "rulebook_hash": SHA256,
    "unit": "ante|bet|stake",
    "case": {"tie_rule?": "more|less", "players?": TEXT, "variant?": TEXT},
    "rules": dict,
    "lines": [{"hand": TEXT, "pays": TEXT, "count": COUNT}],
    "hands": COUNT,
    "outcomes": [{"net": FRACTION, "count": COUNT}],
    "deals": COUNT,
    "figures": dict,
    "hash": SHA256,
    "issued?": {"at": TIME, "software": TEXT, "software_hash": SHA256, "hash": SHA256}
    | {"signer?": SHA256, "signature?": "[0-9a-f]{128}"},
}

T = TypeVar("T")


class Unreadable(Exception):
    """The text is not a certificate, so there is nothing that could hold or not."""


class Terms(NamedTuple):
    """What the pays of lines depend on."""

    stake: Fraction | None
    collected: bool
    meters: dict[str, Fraction]


class Line(NamedTuple):
    """A printed line: what it wins, in stakes, and which share of which meter that comes from."""

    hand: str
    pays: str
    net: Fraction
    share: Fraction = Fraction()
    meter: str = ""


@dataclass(frozen=True)
class Rules:
    """The rules of a wager; a field that its game does not have stays as here."""

    game: str
    lines: tuple[Line, ...]
    evaluator: str = "five_card"
    ace_low: bool = False
    stake: Fraction = Fraction(1)
    meters: tuple[tuple[str, Fraction], ...] = ()
    players: int = 0
    first: int = 0
    adds: tuple[int, ...] = ()
    fold: bool = False
    main: "Rules | None" = None
    qualifier: tuple[int, ...] = ()  # ranks from the top
    most_raise: tuple[int, ...] = ()  # with a flush of two cards, of three and so on

    @property
    def is_main(self) -> bool:
        """Tell whether this is a main game and not a side bet."""
        return self.game in {"streets", "against_dealer"}

    @property
    def size(self) -> tuple[int, int]:
        """Return how many hands and how many deals there are."""
        if self.game == "streets":
            return math.comb(52, 5), math.comb(52, self.first) * math.perm(52 - self.first, 5 - self.first)
        if self.game == "hands":
            count = math.comb(52, CARDS_SEEN[self.evaluator])
        elif self.main:
            count = self.main.size[1]
        elif self.game == "highest_of":
            count = math.comb(52, 3) * pairings(49, self.players)
        else:
            count = math.comb(52, 7) * math.comb(45, 7)
        return count, count


class Certificate(NamedTuple):
    """A certificate whose form is right; whether it holds is still open."""

    title: str
    raw: dict[str, Any]
    claimed_hash: str
    right_hash: str
    rules: Rules
    bet_more: bool
    lines: list[tuple[str, str, int]]
    hands: int
    outcomes: list[tuple[Fraction, int]]
    deals: int
    figures: dict[str, Fraction]


class Count(NamedTuple):
    """What a recount found; outcomes and average wager only where they do not follow from the lines."""

    lines: list[int]
    outcomes: dict[Fraction, int] | None = None
    average_wager: Fraction | None = None


# ---------------------------------------------------------------------------------------------------- reading


def show(value: object) -> str:
    """Return foreign text as short ASCII on one line: it must not be able to forge or flood the output."""
    kinds = {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}
    text = ascii(value)[1:-1] if isinstance(value, str) else kinds.get(type(value), "a number")
    return text if len(text) <= 100 else text[:97] + "..."


def conform(where: str, value: Any, form: object) -> None:  # noqa: ANN401 - the form says what it is
    """Raise Unreadable unless a JSON value has the form."""
    if isinstance(form, str):
        if not isinstance(value, str) or not re.fullmatch(form, value, re.DOTALL):
            raise Unreadable(f"{where}: {show(value)} is not a text of the form {form}")
    elif isinstance(form, range):
        if not isinstance(value, int) or isinstance(value, bool) or value not in form:
            raise Unreadable(f"{where} is not a whole number from {form[0]} to {form[-1]}")
    elif isinstance(form, list):
        if not isinstance(value, list) or not value:
            raise Unreadable(f"{where} is not a list of at least one element")
        for i, item in enumerate(value, 1):
            conform(f"{where}[{i}]", item, form[0])
    elif isinstance(form, type):
        if not isinstance(value, form):
            raise Unreadable(f"{where or 'it'} is not {'an object' if form is dict else 'true or false'}")
    elif isinstance(form, dict):
        conform(where, value, dict)
        keys = {key.rstrip("?"): key for key in form}
        needed = {key for key in form if not key.endswith("?")}
        for what, odd in (("missing", needed - value.keys()), ("not known", value.keys() - keys.keys())):
            if odd:
                raise Unreadable(f"{where or 'certificate'}: the key {show(min(odd))} is {what}")
        for key, item in value.items():
            conform(f"{where}.{key}" if where else key, item, form[keys[key]])


def reduced(where: str, text: str) -> Fraction:
    """Return a fraction that is written as it must be, in lowest terms."""
    if str(Fraction(text)) != text:
        raise Unreadable(f"{where}: {show(text)} is not a reduced fraction")
    return Fraction(text)


def rules_of(where: str, found: dict[str, Any]) -> Rules:
    """Return the rules; whatever has no meaning in their game is refused."""
    game = found.get("game")
    if not isinstance(game, str) or game not in RULES:
        raise Unreadable(f"{where}.game is none that is known")
    conform(where, found, RULES[game])
    evaluator = found.get("evaluator", "five_card" if game == "streets" else game)
    if ("ace_low" in found) != (evaluator in {"three_card", "straight_flush"}):
        raise Unreadable(f"{where}.ace_low: three_card and straight_flush have it, and only they")
    terms = Terms(
        Fraction(found["stake"]) if "stake" in found else None,
        found.get("collected", False),
        {name: Fraction(meter) for name, meter in found.get("meters", {}).items()},
    )
    lines = tuple(line_of(f"{where}.lines[{i}]", line, terms) for i, line in enumerate(found["lines"], 1))
    check_hands(where, [line.hand for line in lines], HANDS[evaluator], in_order=game == "highest_of")
    for name in terms.meters.keys() - {line.meter for line in lines if line.share}:
        raise Unreadable(f"{where}.meters.{name}: no line pays from it")
    ranks = found.get("qualifier", {"ranks": []})["ranks"]
    if ranks != sorted(set(ranks), reverse=True) or len(ranks) != found.get("qualifier", {"length": 0})["length"]:
        raise Unreadable(f"{where}.qualifier.ranks are not as many ranks as length says, from the top")
    if len(set(found.get("adds", []))) > 6:
        raise Unreadable(f"{where}.adds are more than six, which nobody plays")
    if "main" in found:
        conform(f"{where}.main.game", found["main"].get("game"), "streets")
    return Rules(
        game,
        lines,
        evaluator,
        ace_low=found.get("ace_low", False),
        stake=terms.stake or Fraction(1),
        meters=tuple(terms.meters.items()),
        players=found.get("players", 0),
        first=found.get("first", 0),
        adds=tuple(sorted(set(found.get("adds", [])))),
        fold=found.get("fold", False),
        main=rules_of(f"{where}.main", found["main"]) if "main" in found else None,
        qualifier=tuple(ranks),
        most_raise=tuple(most for _, most in sorted(found.get("most_raise", {}).items())),
    )


def check_hands(where: str, hands: list[str], known: set[str], *, in_order: bool) -> None:
    """Raise Unreadable unless the hands of the lines are known, different and, where it matters, strongest first."""
    for i, hand in enumerate(hands):
        if hand not in known or hand in hands[:i]:
            problem = "there twice" if hand in hands[:i] else "not known here"
            raise Unreadable(f"{where}.lines[{i + 1}].hand: {show(hand)} is {problem}")
    strengths = [STRONG.index(hand) if hand in STRONG else len(STRONG) for hand in hands]
    if in_order and strengths != sorted(strengths):
        raise Unreadable(f"{where}.lines are not printed strongest first")


def line_of(where: str, line: dict[str, str], terms: Terms) -> Line:
    """Return a printed line with its net result in stakes; without a stake there are neither amounts nor meters."""
    hand, pays, stake = line["hand"], line["pays"], terms.stake
    if pays == "Push":
        return Line(hand, pays, Fraction())
    if match := re.fullmatch(f"{AMOUNT} (to|for) 1", pays):
        return Line(hand, pays, number(match) - (match[2] == "for"))
    if stake and (match := re.fullmatch(rf"\${AMOUNT}", pays)):
        return Line(hand, pays, number(match) / stake - terms.collected)
    if stake and (match := re.fullmatch(f"{AMOUNT}% of ({'|'.join(METERS)})", pays)):
        share, meter = number(match) / 100, METERS[match[2]]
        if meter in terms.meters:
            return Line(hand, pays, share * terms.meters[meter] / stake - 1, share, meter)
    raise Unreadable(f"{where}.pays: {show(pays)} has no meaning here")


def number(match: re.Match[str]) -> Fraction:
    return Fraction(match[1].replace(",", ""))


def figure_names(rules: Rules) -> list[str]:
    """Return which figures belong to the rules; one with ? may be missing."""
    names = ["house_edge", "variance", "third_moment", "hit_frequency"]
    if rules.is_main:
        names += ["average_wager", "element_of_risk"]
    if rules.meters:
        names += ["fixed_return", "envy_per_other_player?"]
        names += [f"{what}_{name}" for name, _ in rules.meters for what in ("coefficient", "break_even")]
    return names


def certificate_of(found: Any) -> Certificate:  # noqa: ANN401 - the next line says what it is
    """Return a certificate whose form is right, or raise Unreadable."""
    conform("", found, CERTIFICATE)
    rules, case = rules_of("rules", found["rules"]), found["case"]
    conform("figures", found["figures"], dict.fromkeys(figure_names(rules), FRACTION))
    if "tie_rule" in case and rules.game != "streets":
        raise Unreadable(f"case.tie_rule has no meaning in {rules.game}")
    if case.get("players", str(rules.players)) != str(rules.players):
        raise Unreadable("case.players is not what rules.players is")
    apart = case | ({"stake": found["rules"]["stake"]} if "stake" in found["rules"] else {})
    cases = "".join(f", {name} {show(said)}" for name, said in apart.items())
    outcomes = enumerate(found["outcomes"], 1)
    return Certificate(
        title=f"{show(found['wager'])} {show(found['paytable'])} of {show(found['rulebook'])}{cases}",
        raw=found,
        claimed_hash=found["hash"],
        right_hash=hash_of(found),
        rules=rules,
        bet_more=case.get("tie_rule", "more") == "more",
        lines=[(line["hand"], line["pays"], int(line["count"])) for line in found["lines"]],
        hands=int(found["hands"]),
        outcomes=[(reduced(f"outcomes[{i}].net", item["net"]), int(item["count"])) for i, item in outcomes],
        deals=int(found["deals"]),
        figures={name: reduced(f"figures.{name}", figure) for name, figure in found["figures"].items()},
    )


def hash_of(found: dict[str, object]) -> str:
    """Return the hash over everything but the keys `hash` and `issued`."""
    return hash_text({key: value for key, value in found.items() if key not in {"hash", "issued"}})


def hash_text(value: dict[str, object]) -> str:
    """Return the SHA-256 of a value as JSON: keys sorted, no spaces, UTF-8."""
    content = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        return hashlib.sha256(content.encode("utf-8")).hexdigest()
    except UnicodeEncodeError:
        raise Unreadable("a text has half a character (a lone surrogate), which UTF-8 cannot hold") from None


def without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object's pairs as a dictionary; Python alone would keep the last of two equal keys in silence."""
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise Unreadable(f"the key {show(key)} is there twice")
        result[key] = value
    return result


def parse(data: bytes) -> list[Certificate]:
    """Return the certificates that the bytes of a file hold, or raise Unreadable."""
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=without_repeats)
    except RecursionError:
        raise Unreadable("the JSON is nested too deeply") from None
    except ValueError as error:  # not UTF-8, not JSON, or a number too long for Python
        raise Unreadable(f"not JSON in UTF-8: {error}") from None
    if isinstance(found, dict):
        return [certificate_of(found)]
    if not isinstance(found, list) or not found:
        raise Unreadable("an empty list" if found == [] else "neither a certificate nor a list of them")
    result = []
    for place, value in enumerate(found, 1):
        try:
            result.append(certificate_of(value))
        except Unreadable as error:
            raise Unreadable(f"certificate {place}: {error}") from None
    return result


# ------------------------------------------------------------------------------------------------- arithmetic


# ------------------------------------------------------------------------------------------------- issue, signature

# Ed25519, RFC 8032, by the equation without the cofactor, which accepts the least.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]


def add(p: Point, q: Point) -> Point:
    """Return the sum of two points."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def point(data: bytes) -> Point | None:
    """Return the point that 32 bytes stand for, or None."""
    sign, y = divmod(int.from_bytes(data, "little"), 1 << 255)
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    x = x if v * x * x % P == u else x * pow(2, (P - 1) // 4, P) % P
    if y >= P or v * x * x % P != u or (x == 0 and sign):
        return None
    x = P - x if x % 2 != sign else x
    return x, y, 1, x * y % P


def is_signed(signer: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether a signature holds; keys of small order and numbers that are not canonical are refused."""
    key, base, s = point(signer), point(b"\x58" + b"\x66" * 31), int.from_bytes(signature[32:], "little")
    if key is None or base is None or s >= ORDER:
        return False
    four = add(add(key, key), add(key, key))
    if add(four, four)[0] == 0:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + signer + message).digest(), "little") % ORDER
    total: Point = (0, 1, 1, 0)
    sums = [total, base, (P - key[0], key[1], 1, P - key[3])]
    sums.append(add(base, sums[2]))
    for bit in range(252, -1, -1):
        total = add(add(total, total), sums[(s >> bit & 1) + 2 * (k >> bit & 1)])
    inverse = pow(total[2], -1, P)
    return (total[1] * inverse % P | (total[0] * inverse % P & 1) << 255).to_bytes(32, "little") == signature[:32]


def issue_faults(it: Certificate, signer: str) -> list[str]:
    """Return what is wrong with the date, the software hash and the signature of a certificate."""
    issue = it.raw.get("issued", {})
    if signer and issue.get("signer") != signer:
        return [f"issued: not signed by {signer}"]
    if not issue:
        return []
    content = {name: issue[name] for name in ("at", "software", "software_hash")} | {"certificate": it.claimed_hash}
    if issue["hash"] != hash_text(content):
        return ["issued: the date, the software or the certificate is not what was issued"]
    if ("signer" in issue) != ("signature" in issue):
        return ["issued: it has a signer or a signature, but not both"]
    message = b"croupier-certificate-1\n" + issue["hash"].encode()
    if "signer" in issue and not is_signed(bytes.fromhex(issue["signer"]), message, bytes.fromhex(issue["signature"])):
        return ["issued: the signature does not hold"]
    return []


def arithmetic_faults(it: Certificate) -> list[str]:
    """Return what is wrong without counting any cards; where counts are wrong their figures are not looked at."""
    faults = [f"hash: that of the content is {it.right_hash}"] if it.claimed_hash != it.right_hash else []
    return faults + (line_faults(it) or sum_faults(it) or list(disagreements(it)) or figure_faults(it))


def line_faults(it: Certificate) -> list[str]:
    """Return where the lines are not those of the rules."""
    tail = ENDINGS if it.rules.game == "against_dealer" else NOTHING
    right = [f"{hand}, {pays}" for hand, pays in (*((line.hand, line.pays) for line in it.rules.lines), *tail)]
    shown = [f"{show(hand)}, {show(pays)}" for hand, pays, _ in it.lines]
    pairs = zip_longest(shown, right, fillvalue="not there")
    return [f"lines[{i}]: {a}, but by the rules it is {b}" for i, (a, b) in enumerate(pairs, 1) if a != b]


def sum_faults(it: Certificate) -> list[str]:
    """Return what is wrong with the numbers of hands and deals."""
    nets = [net for net, _ in it.outcomes]
    faults = {
        f"hands: {it.hands}, but by the rules there are {it.rules.size[0]}": it.hands != it.rules.size[0],
        f"deals: {it.deals}, but by the rules there are {it.rules.size[1]}": it.deals != it.rules.size[1],
        "lines do not add up to hands": sum(count for *_, count in it.lines) != it.hands,
        "outcomes do not add up to deals": sum(count for _, count in it.outcomes) != it.deals,
        "outcomes are not in order, the smallest net result first": nets != sorted(set(nets)),
        "outcomes have a result that never comes about": any(not count for _, count in it.outcomes),
    }
    return [fault for fault, there in faults.items() if there]


def nets_of(rules: Rules) -> list[Fraction]:
    """Return the net result of each printed line and of a hand on none, in stakes."""
    return [*(line.net for line in rules.lines), Fraction(-1)]


def disagreements(it: Certificate) -> Iterator[str]:
    """Yield where lines and outcomes contradict each other."""
    if it.rules.game == "against_dealer":
        hands = {Fraction(1): "dealer_does_not_qualify", Fraction(0): "tie", Fraction(-1): "fold"}
        for bets in range(2, max(it.rules.most_raise) + 2):
            hands |= {Fraction(bets): "win", Fraction(-bets): "lose"}
        ended: Counter[str] = Counter()
        for net, count in it.outcomes:
            ended[hands.get(net, f"(none: net result {net})")] += count
        yield from different("line", {hand: count for hand, _, count in it.lines}, ended, "the outcomes give")
        return
    right: Counter[Fraction] = Counter()
    for net, (*_, count) in zip(nets_of(it.rules), it.lines, strict=True):
        right[net] += count
    if it.rules.game != "streets":
        yield from different("outcomes: net result", dict(it.outcomes), right, "the lines give")
        return
    for net in {net for net, _ in it.outcomes} - street_results(it.rules):
        yield f"outcomes: the net result {net} cannot come about"
    orders = it.deals // it.hands  # in which the cards of one hand can be dealt
    for what, sign in (("a gain", 1), ("zero", 0)):
        deals = sum(count for net, count in it.outcomes if (net > 0) - (net < 0) == sign)
        bound = sum(count * orders for net, count in right.items() if (net > 0) - (net < 0) == sign)
        if deals > bound or (deals < bound and not it.rules.fold):  # a fold turns any hand into a loss
            yield f"outcomes: {deals} deals end with {what}, but by the lines {bound} can"


def street_results(rules: Rules) -> set[Fraction]:
    """Return every net result that some play of a game of streets could have."""
    bets, results = {1}, set()
    for _ in range(rules.first, 5):
        results |= {Fraction(-bet) for bet in bets if rules.fold}
        bets = {bet + add for bet in bets for add in rules.adds}
    return results | {bet * net for bet in bets for net in nets_of(rules)}


def different(what: str, shown: dict[T, int], right: dict[T, int], source: str) -> Iterator[str]:
    """Yield the entries in which two tables differ."""
    for key in {**shown, **right}:
        if shown.get(key, 0) != right.get(key, 0):
            yield f"{what} {key}: {shown.get(key, 0)}, but {source} {right.get(key, 0)}"


def figure_faults(it: Certificate) -> list[str]:
    """Return the figures that do not follow from the counts."""
    mean, square, cube = (Fraction(sum(net**n * count for net, count in it.outcomes)) / it.deals for n in (1, 2, 3))
    right = {"house_edge": -mean, "variance": square - mean**2, "third_moment": cube}
    if it.rules.is_main:
        right["hit_frequency"] = Fraction(sum(count for net, count in it.outcomes if net > 0), it.deals)
        wager = max(it.figures["average_wager"], Fraction(1))  # one unit is always staked
        right |= {"average_wager": wager, "element_of_risk": -mean / wager}
    else:
        right["hit_frequency"] = Fraction(sum(n for _, pays, n in it.lines[:-1] if pays != "Push"), it.hands)
    if it.rules.meters:
        right |= progressive_figures(it)
    return [
        f"{name}: {show(str(it.figures[name]))}, but the counts give {value}"
        for name, value in right.items()
        if it.figures[name] != value
    ]


def progressive_figures(it: Certificate) -> dict[str, Fraction]:
    """Return what follows from the lines about the meters; a meter that nobody wins breaks even nowhere."""
    fixed, shares, stake = Fraction(), dict.fromkeys(dict(it.rules.meters), Fraction()), it.rules.stake
    for line, (*_, count) in zip(it.rules.lines, it.lines, strict=False):
        if line.meter:
            shares[line.meter] += line.share * Fraction(count, it.hands)
        else:
            fixed += (line.net + 1) * Fraction(count, it.hands)
    right = {"fixed_return": fixed}
    for name, share in shares.items():
        right[f"coefficient_{name}"] = share
        others = sum(shares[other] * meter for other, meter in it.rules.meters if other != name)
        if share:
            right[f"break_even_{name}"] = max((stake * (1 - fixed) - others) / share, Fraction())
    return right


# --------------------------------------------------------------- cards: a suit is a mask of ranks, bit 0 the deuce

Names = frozenset[str]  # the names of all lines that a hand satisfies
Masks = tuple[int, ...]  # a set of cards: the ranks of each of its four suits
OF_SIZE = [[mask for mask in range(1 << 13) if mask.bit_count() == n] for n in range(14)]
NINE_TO_ACE, TEN_TO_ACE = 0b1111110000000, 0b1111100000000
SIMPLE: dict[str, Names] = {name: frozenset({name}) for name in STRONG} | {"": frozenset()}
ROYAL = frozenset({"royal_flush", "straight_flush"})
SUPER = ROYAL | {"super_royal"}


def pair_names(rank: int) -> Names:
    return frozenset(name for name, ranks in PAIRS.items() if rank in ranks)


PAIR_OF = {1 << (rank - 2): pair_names(rank) for rank in range(2, 15)}


def longest_run(mask: int, *, ace_low: bool) -> int:
    """Return how many ranks in a row there are; the ace may stand at either end but joins nothing."""
    row, length = mask << 1 | (mask >> 12 if ace_low else 0), 0
    while row:
        row, length = row & row << 1, length + 1
    return length


def suited_names(mask: int) -> Names | None:
    """Return what five or six cards of one suit make, or None for fewer."""
    if mask.bit_count() < 5:
        return None
    if mask & NINE_TO_ACE == NINE_TO_ACE:
        return SUPER
    if mask & TEN_TO_ACE == TEN_TO_ACE:
        return ROYAL
    return SIMPLE["straight_flush" if longest_run(mask, ace_low=True) >= 5 else "flush"]


SUITED = [suited_names(mask) for mask in range(1 << 13)]
STRAIGHT = [longest_run(mask, ace_low=True) >= 5 for mask in range(1 << 13)]


def best_five(a: int, b: int, c: int, d: int) -> Names:
    """Return the names of the best five of five or six cards.

    Five suited cards have five ranks, so that a sixth makes a pair at most: a flush never competes with full houses.
    """
    suited = SUITED[a] or SUITED[b] or SUITED[c] or SUITED[d]
    if suited:
        return suited
    twice = a & b | c & d | (a | b) & (c | d)
    if twice:
        if a & b & c & d:
            return SIMPLE["four_of_a_kind"]
        thrice = a & b & (c | d) | c & d & (a | b)
        several = twice & (twice - 1)  # two ranks or more
        if thrice and several:
            return SIMPLE["full_house"]
        if STRAIGHT[a | b | c | d]:
            return SIMPLE["straight"]
        if thrice:
            return SIMPLE["three_of_a_kind"]
        return SIMPLE["two_pair"] if several else PAIR_OF[twice]
    return SIMPLE["straight" if STRAIGHT[a | b | c | d] else ""]


def three_card_names(hand: Sequence[tuple[int, str]], *, ace_low: bool) -> Names:
    """Return the names of three cards, each a rank from 2 to 14 and a suit."""
    high, middle, low = ranks = sorted((rank for rank, _ in hand), reverse=True)
    suits = {suit for _, suit in hand}
    straight = high == middle + 1 == low + 2 or (ace_low and ranks == [14, 3, 2])
    if straight and len(suits) == 1:
        if low == 12:
            mini = "ace_king_queen_spades" if suits == {"s"} else "ace_king_queen_other"
            return frozenset({"straight_flush", "mini_royal", mini})
        return SIMPLE["straight_flush"]
    if high == low:
        return SIMPLE["three_of_a_kind"]
    if straight or len(suits) == 1:
        return SIMPLE["straight" if straight else "flush"]
    return pair_names(middle) if middle in {high, low} else SIMPLE[""]


def suit_sets(pool: Sequence[Sequence[T]], suits: int, cards: int) -> Iterator[tuple[T, ...]]:
    """Yield what so many suits may hold in all, in no order; pool[n] is what one suit with n cards may be."""
    for sizes in combinations_with_replacement(range(min(cards, len(pool) - 1), -1, -1), suits):
        if sum(sizes) == cards:
            groups = (combinations_with_replacement(pool[size], len(list(same))) for size, same in groupby(sizes))
            for parts in product(*groups):
                yield sum(parts, ())


def arrangements(items: tuple[T, ...]) -> int:
    """Return in how many different orders the items can stand."""
    if len(set(items)) == len(items):
        return math.factorial(len(items))
    return math.factorial(len(items)) // math.prod(math.factorial(n) for n in Counter(items).values())


def sets_of_cards(n: int) -> Iterator[tuple[Masks, int]]:
    """Yield every set of n cards up to an exchange of suits, and how many sets it stands for."""
    for masks in suit_sets(OF_SIZE, 4, n):
        yield tuple(sorted(masks)), arrangements(masks)


def one_more(masks: Masks) -> Counter[Masks]:
    """Return the sets that one more card can make of this one, and how many cards make each."""
    found: Counter[Masks] = Counter()
    for suit, mask in enumerate(masks):
        for rank in range(13):
            if not mask >> rank & 1:
                found[tuple(sorted((*masks[:suit], mask | 1 << rank, *masks[suit + 1 :])))] += 1
    return found


LAST = [time.monotonic()]


def progress(what: str, done: int, total: int) -> None:
    """Say on standard error how far the work is, every two seconds at most."""
    if time.monotonic() - LAST[0] > 2:
        LAST[0] = time.monotonic()
        print(f"  ... {what}: {100 * done // total}%", file=sys.stderr, flush=True)


# --------------------------------------------------------------------------------------- recount: a single hand


@cache
def tally(evaluator: str, *, ace_low: bool) -> Counter[Names]:
    """Return how many hands have which names."""
    if evaluator == "three_card":
        deck = [(rank, suit) for rank in range(2, 15) for suit in "cdhs"]
        return Counter(three_card_names(hand, ace_low=ace_low) for hand in combinations(deck, 3))
    n, done = CARDS_SEEN[evaluator], 0
    found: Counter[Names] = Counter()
    for masks, weight in sets_of_cards(n):
        found[best_five(*masks)] += weight
        done += weight
        progress(f"sets of {n} cards", done, math.comb(52, n))
    if n == 6:  # the suits were exchanged at will, so each has its share of the super royals
        every = found.pop(SUPER)
        found |= {SUPER | {"super_royal_diamonds"}: every // 4, SUPER | {"super_royal_other"}: every - every // 4}
    return found


def line_counts(found: Counter[Names], rules: Rules) -> list[int]:
    """Return how many hands fall on each printed line and on none: a hand falls on the first that it satisfies."""
    counts = [0] * (len(rules.lines) + 1)
    for names, count in found.items():
        counts[first_line(names, tuple(line.hand for line in rules.lines))] += count
    return counts


@cache
def first_line(names: Names, hands: tuple[str, ...]) -> int:
    return next((i for i, hand in enumerate(hands) if hand in names), len(hands))


def suit_test(hand: str, mask: int, *, ace_low: bool) -> bool:
    """Tell whether the cards of one suit satisfy a line of seven cards."""
    if hand == "suited_nine_to_ace":
        return mask & NINE_TO_ACE == NINE_TO_ACE
    number, kind = hand.split("_card_")
    return (mask.bit_count() if kind == "flush" else longest_run(mask, ace_low=ace_low)) >= NUMBERS[number]


def times(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Return the product of two polynomials up to the seventh power."""
    result = [0] * 8
    for i, x in enumerate(a):
        for j, y in enumerate(b[: 8 - i]):
            result[i + j] += x * y
    return result


def seven_of(masks: Iterable[int]) -> int:
    """Return how many hands of seven cards have in each suit one of these masks."""
    sizes = Counter(mask.bit_count() for mask in masks)
    one = [sizes[n] for n in range(8)]
    return times(times(one, one), times(one, one))[7]


def count_seven(rules: Rules) -> list[int]:
    """Return the lines of seven cards: what is on none of the first lines, line by line."""
    masks, quads, left = list(range(1 << 13)), False, [math.comb(52, 7)]
    for line in rules.lines:
        if line.hand == "four_of_a_kind":
            quads = True
        else:
            masks = [mask for mask in masks if not suit_test(line.hand, mask, ace_low=rules.ace_low)]
        # seven cards have at most one four of a kind, so those of the 13 ranks can be added
        four = sum(seven_of(mask for mask in masks if mask >> rank & 1) for rank in range(13)) if quads else 0
        left.append(seven_of(masks) - four)
    return [a - b for a, b in zip(left, [*left[1:], 0], strict=True)]


# ---------------------------------------------------------------------------------------------- recount: streets


class Play(NamedTuple):
    """How all deals end under best play: net results, everything staked, and the hands that were not folded."""

    outcomes: Counter[Fraction]
    staked: int
    shown: Counter[Names]


@cache
def last_cards() -> dict[Masks, Counter[Names]]:
    """Return for every set of four cards what the 48 others make of it."""
    found: dict[Masks, Counter[Names]] = {}
    for done, (masks, _) in enumerate(sets_of_cards(4)):
        progress("fifth cards", done, 16432)
        found[masks] = Counter()
        for more, count in one_more(masks).items():
            found[masks][best_five(*more)] += count
    return found


class Street:
    """Best play of one game of five cards; values are whole numbers, summed over all orders of the cards to come."""

    def __init__(self, rules: Rules, *, bet_more: bool) -> None:
        nets, hands = nets_of(rules), tuple(line.hand for line in rules.lines)
        self.rules, self.bet_more = rules, bet_more
        self.scale = math.lcm(*(net.denominator for net in nets))  # makes the values whole
        self.ends: dict[Masks, Counter[Fraction]] = {}  # four cards: what one bet wins, by how many fifth cards
        for masks, found in last_cards().items():
            ends = self.ends[masks] = Counter()
            for names, count in found.items():
                ends[nets[first_line(names, hands)]] += count
        self.means = {m: int(self.scale * sum(net * n for net, n in ends.items())) for m, ends in self.ends.items()}
        self.next = cache(one_more)
        self.best = cache(self.decide)

    def decide(self, n: int, masks: Masks, bets: int) -> tuple[int, int | None]:
        """Return the value of n cards with these bets, and the best action: bets to add, or None for a fold."""
        actions: list[tuple[int, int | None]] = []  # what stakes least comes first
        if self.rules.fold:
            actions.append((-bets * self.scale * math.perm(52 - n, 5 - n), None))
        for add in sorted(self.rules.adds):
            if n == 4:
                value = (bets + add) * self.means[masks]
            else:
                value = sum(self.best(n + 1, more, bets + add)[0] * count for more, count in self.next(masks).items())
            actions.append((value, add))
        top = max(value for value, _ in actions)
        equals = [action for action in actions if action[0] == top]
        return equals[-1 if self.bet_more else 0]

    def play(self) -> Play:
        """Lead all deals through best play."""
        outcomes, shown, staked = Counter[Fraction](), Counter[Names](), 0
        reached = Counter({(masks, 1): weight for masks, weight in sets_of_cards(self.rules.first)})
        for n in range(self.rules.first, 5):
            following: Counter[tuple[Masks, int]] = Counter()
            for done, ((masks, bets), deals) in enumerate(reached.items()):
                progress(f"best play with {n} cards", done, len(reached))
                add = self.best(n, masks, bets)[1]
                orders = math.perm(52 - n, 5 - n) * deals
                if add is None:
                    outcomes[Fraction(-bets)] += orders
                    staked += bets * orders
                elif n == 4:
                    staked += (bets + add) * orders
                    for net, count in self.ends[masks].items():
                        outcomes[(bets + add) * net] += deals * count
                    for names, count in last_cards()[masks].items():
                        shown[names] += deals * count
                else:
                    for more, count in self.next(masks).items():
                        following[more, bets + add] += deals * count
            reached = following
        return Play(outcomes, staked, shown)


@cache
def best_play(rules: Rules, *, bet_more: bool) -> Play:
    return Street(rules, bet_more=bet_more).play()


# ------------------------------------------------------------------------------------------- recount: highest_of


def pairings(cards: int, pairs: int) -> int:
    """Return how many sets of so many disjoint pairs the cards have."""
    if pairs < 0 or 2 * pairs > cards:
        return 0
    return math.perm(cards, 2 * pairs) // (math.factorial(pairs) << pairs)


@cache
def matchings(sizes: tuple[int, ...], links: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return how many sets of k disjoint edges a graph has, for every k from 0.

    The graph has sizes[t] vertices of type t, each with an edge to every vertex of the types links[t] (also of its own
    where t is among them). One vertex has either no edge in the set, or one to a vertex of a type that is left.
    """
    own = next((t for t, size in enumerate(sizes) if size), None)
    if own is None:
        return (1,)
    rest = list(sizes)
    rest[own] -= 1
    found = [*matchings(tuple(rest), links), *[0] * 25]
    for other in links[own]:
        if ways := rest[other]:
            rest[other] -= 1
            for k, count in enumerate(matchings(tuple(rest), links), 1):
                found[k] += ways * count
            rest[other] += 1
    return tuple(found[:25])


def edge_sets(near: list[int]) -> tuple[int, ...]:
    """Return how many sets of k disjoint edges a graph has; near[v] has the bits of v's neighbours.

    Vertices that have the same neighbours, apart from each other, are of one type. The order of the types is free: with
    what hangs together in a row, and few neighbours first, there are fewer states to go through.
    """
    closed = Counter(others | 1 << vertex for vertex, others in enumerate(near))
    types: defaultdict[int, list[int]] = defaultdict(list)
    for vertex, others in enumerate(near):
        if others:
            types[both if closed[both := others | 1 << vertex] > 1 else others].append(vertex)
    order = sorted(types.values(), key=lambda group: (connected(near, group[0]), near[group[0]].bit_count()))
    # a type is linked to itself if its first vertex has an edge to its last; a single vertex has none
    links = (tuple(t for t, other in enumerate(order) if near[one[0]] >> other[-1] & 1) for one in order)
    return matchings(tuple(len(group) for group in order), tuple(links))


def connected(near: list[int], vertex: int) -> int:
    """Return the bits of all vertices that hang together with one."""
    found, grown = 0, 1 << vertex
    while grown != found:
        found = grown
        for other, others in enumerate(near):
            if found >> other & 1:
                grown |= others
    return found


@cache
def reaching_pairs(hands: tuple[str, ...]) -> list[list[int]]:
    """Return, for the first 0, 1, 2 ... lines, how many sets of k pairs there are that all reach one of these lines.

    The pairs of a set are disjoint and share one flop; element k is the sum over all flops.
    """
    totals = [[0] * 25 for _ in range(len(hands) + 1)]
    totals[0][0] = math.comb(52, 3)
    for done, (flop, weight) in enumerate(sets_of_cards(3)):
        progress("flops", done, 1755)
        cards = [(suit, 1 << rank) for suit in range(4) for rank in range(13) if not flop[suit] >> rank & 1]
        edges: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for (i, (s, x)), (j, (t, y)) in combinations(enumerate(cards), 2):
            masks = list(flop)
            masks[s] |= x
            masks[t] |= y
            edges[first_line(best_five(*masks), hands)].append((i, j))
        near, sets = [0] * len(cards), edge_sets([])
        for line, total in enumerate(totals[1:]):
            for i, j in edges[line]:
                near[i] |= 1 << j
                near[j] |= 1 << i
            if edges[line]:
                sets = edge_sets(near)
            for k, count in enumerate(sets):
                total[k] += weight * count
    return totals


def count_highest(rules: Rules) -> list[int]:
    """Return the lines of the strongest hand at the table: the deals in which nobody reaches the first lines."""
    left = []
    for totals in reaching_pairs(tuple(line.hand for line in rules.lines)):
        signed = ((-1) ** k * total * pairings(49 - 2 * k, rules.players - k) for k, total in enumerate(totals))
        left.append(sum(signed))
    return [a - b for a, b in zip(left, [*left[1:], 0], strict=True)]


# --------------------------------------------------------------------------------------- recount: against_dealer


def lower_sets(free: int, size: int, limit: int) -> int:
    """Return how many sets of this many of the free ranks are lower, from the top, than those of limit."""
    found = 0
    for rank in range(12, -1, -1):
        if limit >> rank & 1:  # sets that agree so far, and go on with a lower rank
            found += math.comb((free & ((1 << rank) - 1)).bit_count(), size)
            if not free >> rank & 1:
                break
            size -= 1
    return found


@cache
def two_suits(length: int, one: tuple[int, int], other: tuple[int, int]) -> list[int]:
    """Return by their size the sets of cards in two suits, each with free ranks and the longest sets it may hold.

    Shorter sets than length may be any of the free ranks, those of length only so many, and longer ones none.
    """
    a, b = ([*(math.comb(free, n) for n in range(length)), longest] for free, longest in (one, other))
    return times(a, b)


def dealers(length: int, suits: Sequence[tuple[int, int]]) -> int:
    """Return how many hands of seven cards the dealer can have within these limits."""
    a, b = two_suits(length, suits[0], suits[1]), two_suits(length, suits[2], suits[3])
    return sum(x * y for x, y in zip(a, reversed(b), strict=True))


class Side(NamedTuple):
    """All that matters of a suit in the player's hand: what it leaves of the dealer's sets."""

    cards: int
    unqualified: int  # sets as long as the qualifier's, and below it
    lower: int  # sets as long as the player's longest, and below it
    equal: int  # 1 if the dealer can hold the same ranks here, else 0


def side_of(mask: int, length: int, flush: int, qualifier: int) -> Side:
    free = (1 << 13) - 1 & ~mask
    unqualified = lower_sets(free, qualifier.bit_count(), qualifier)
    return Side(mask.bit_count(), unqualified, lower_sets(free, length, flush), int(free & flush == flush))


def players_hands(length: int, flush: int, qualifier: int) -> Iterator[tuple[tuple[Side, ...], int]]:
    """Yield all hands whose longest and highest flush this is: their four suits, and how many hands there are."""
    kinds: Counter[Side] = Counter()
    for n in range(min(length, 7 - length) + 1):
        # masks of one size compare as their ranks from the top do
        kinds.update(side_of(m, length, flush, qualifier) for m in OF_SIZE[n] if n < length or m < flush)
    pool = [[side for side in kinds if side.cards == n] for n in range(length + 1)]
    own = side_of(flush, length, flush, qualifier)
    for same in range(1, 7 // length + 1):  # suits with these very ranks
        for others in suit_sets(pool, 4 - same, 7 - same * length):
            weight = math.comb(4, same) * arrangements(others) * math.prod(kinds[side] for side in others)
            yield (own,) * same + others, weight


def count_against_dealer(rules: Rules) -> Count:
    """Return how all deals end when the player raises as is best; see `best_raise`."""
    qualifier = sum(1 << (rank - 2) for rank in rules.qualifier)
    outcomes: Counter[Fraction] = Counter()
    ends: Counter[str] = Counter()
    staked = 0
    flushes = [(length, flush) for length in range(2, 8) for flush in OF_SIZE[length]]
    for done, (length, flush) in enumerate(flushes):
        progress("the player's flushes", done, len(flushes))
        most, qualified = rules.most_raise[length - 2], (length, flush) >= (len(rules.qualifier), qualifier)
        for sides, weight in players_hands(length, flush, qualifier):
            no = dealers(len(rules.qualifier), [(13 - side.cards, side.unqualified) for side in sides])
            lower = equal = no  # for a hand below the qualifier: whoever qualifies beats it
            if qualified:
                lower = dealers(length, [(13 - side.cards, side.lower) for side in sides])
                equal = dealers(length, [(13 - side.cards, side.lower + side.equal) for side in sides])
            win, tie, lose = lower - no, equal - lower, math.comb(45, 7) - equal
            bet = best_raise(no, win, lose, most)
            staked += (1 + bet) * weight * math.comb(45, 7)
            if not bet:
                ends["fold"] += weight * math.comb(45, 7)
                continue
            for end, net, count in (("win", 1 + bet, win), ("tie", 0, tie), ("lose", -1 - bet, lose)):
                ends[end] += count * weight
                outcomes[Fraction(net)] += count * weight
            ends["dealer_does_not_qualify"] += no * weight
    outcomes += Counter({Fraction(1): ends["dealer_does_not_qualify"], Fraction(-1): ends["fold"]})
    lines = [ends[hand] for hand in ("win", *(hand for hand, _ in ENDINGS))]
    return Count(lines, outcomes, Fraction(staked, rules.size[1]))


def best_raise(no: int, win: int, lose: int, most: int) -> int:
    """Return the best raise, 0 for a fold. The result is linear in the raise; between equals the higher one counts."""
    bet = most if win >= lose else 1
    return bet if no + (1 + bet) * (win - lose) >= -math.comb(45, 7) else 0


# ------------------------------------------------------------------------------------------- against the rulebook

BETS = {"withdraw": 0, "ride": 1, "1x": 1, "2x": 2, "3x": 3}  # that a choice adds
CUSTOM = "custom"


class Rulebook(NamedTuple):
    """A rulebook as exported: canonical JSON, whose SHA-256 is the `rulebook_hash` of certificates."""

    hash: str
    files: dict[str, Any]
    options: dict[str, Any]

    def wager(self, name: str) -> dict[str, Any] | None:
        """Return a wager by its name; the main game's bets are alike."""
        for wager in self.files["wagers.toml"]["wager"]:
            if wager["name"] == name if name != "base" else wager["paytables"] == "base":
                return dict(wager)
        return None


def rulebook_of(data: bytes) -> Rulebook:
    """Return the rulebook that the bytes of a file hold, or raise Unreadable."""
    content = data.removesuffix(b"\n")
    try:
        found = json.loads(content.decode("utf-8"))
        files, options = found["files"], found["options"]
        for name in ("source", "wagers", "paytables", "dealing", "play"):
            conform(f"{name}.toml", files[f"{name}.toml"], dict)
    except (ValueError, RecursionError, KeyError, TypeError):
        raise Unreadable("not a rulebook as `croupier certificate rulebook` writes it") from None
    return Rulebook(hashlib.sha256(content).hexdigest(), files, options)


def document_faults(it: Certificate, book: Rulebook) -> list[str]:
    """Return where a certificate is not what the rulebook prints; one that is custom only has to name the rulebook."""
    raw, rules = it.raw, it.raw["rules"]
    if raw["rulebook_hash"] != book.hash or raw["rulebook"] != book.files["source.toml"]["id"]:
        return [f"rulebook: made from another one than this {show(book.files['source.toml']['id'])}"]
    if raw["clause"] == CUSTOM:
        return []
    wager = book.wager(raw["wager"])
    if wager is None:
        return [f"wager: the rulebook has no {show(raw['wager'])}"]
    named = (wager["paytables"], raw["paytable"], rules.get("players"))
    tables = book.files["paytables.toml"]["paytable"]
    table = next((one for one in tables if (one["group"], one["id"], one.get("players")) == named), None)
    if table is None:
        return [f"paytable: the rulebook prints no {show(raw['paytable'])} for this wager"]
    faults = [f"clause: {show(raw['clause'])}, printed {table['clause']}"] if raw["clause"] != table["clause"] else []
    if it.rules.is_main:
        return faults + decision_faults(rules, book) + pay_faults(it.rules.lines, table, None)
    faults += side_bet_faults(rules, wager, table, book)
    if "main" in rules:
        main = next(one for one in tables if one["group"] == "base")
        assert it.rules.main
        faults += decision_faults(rules["main"], book) + pay_faults(it.rules.main.lines, main, None)
    terms = Terms(it.rules.stake, "collected" in wager, dict(it.rules.meters))
    # dollars of a wager whose stake may be approved are printed for the first stake, and grow with it
    times = it.rules.stake / Fraction(table["stakes"][0]) if wager.get("stake_approval") else Fraction(1)
    return faults + pay_faults(it.rules.lines, table, terms, times)


def side_bet_faults(rules: dict[str, Any], wager: dict[str, Any], table: dict[str, Any], book: Rulebook) -> list[str]:
    """Return the rules of a side bet that are not the document's."""
    right = {"evaluator": table.get("evaluator", wager["evaluator"]), "collected": "collected" in wager}
    faults = [f"rules.{name}: {rules[name]}, printed {value}" for name, value in right.items() if rules[name] != value]
    if rules.get("ace_low") is False and "hcf.ace_low" not in book.options:
        faults.append("rules.ace_low: false, which the document does not allow")
    stakes = table.get("stakes", [])
    if stakes and rules["stake"] not in stakes and "stake_approval" not in wager:
        faults.append(f"rules.stake: {rules['stake']}, printed {' or '.join(stakes)}")
    return faults


def decision_faults(rules: dict[str, Any], book: Rulebook) -> list[str]:
    """Return the decisions of a main game that are not the document's."""
    play, script = book.files["play.toml"], book.files["dealing.toml"]["script"][0]
    if "qualify" in play:
        most = {
            str(length): limit["times"]
            for limit in play["raise_limit"]
            for length in range(limit["shortest"], limit["longest"] + 1)
        }
        right: dict[str, Any] = {
            "qualifier": {name: play["qualify"][name] for name in ("length", "ranks")},
            "most_raise": most,
        }
    else:
        choices = play["choice"][0]["choices"]
        first = script.get("passes", 1) * sum(step["cards"] for step in script["step"] if step["to"] == "player")
        adds = sorted(BETS[choice] for choice in choices if choice != "fold")
        right = {"first": first, "adds": adds, "fold": "fold" in choices}
    return [f"rules.{name}: not as the document has it" for name, value in right.items() if rules.get(name) != value]


def pay_faults(
    lines: Sequence[Line], table: dict[str, Any], terms: Terms | None, times: Fraction = Fraction(1)
) -> list[str]:
    """Return the lines that do not pay what the document prints."""
    terms = terms or Terms(stake=None, collected=False, meters={})
    printed = [line_of("printed", line, terms) for line in table["line"]]
    collected = Fraction(terms.collected)
    printed = [
        line._replace(net=(line.net + collected) * times - collected) if line.pays.startswith("$") else line
        for line in printed
    ]
    names = [[line.hand for line in found] for found in (lines, printed)]
    if names[0] != names[1]:
        return [f"lines: {', '.join(names[0])}; printed are {', '.join(names[1])}"]
    return [
        f"{line.hand}: pays {show(line.pays)}, printed {right.pays}"
        for line, right in zip(lines, printed, strict=True)
        if (line.net, line.share, line.meter) != (right.net, right.share, right.meter)
    ]


# ------------------------------------------------------------------------------------------------------ verdicts


@cache
def recount(rules: Rules, *, bet_more: bool) -> Count:
    """Count everything again."""
    if rules.game == "against_dealer":
        return count_against_dealer(rules)
    if rules.game == "streets":
        play = best_play(rules, bet_more=bet_more)
        lines = line_counts(tally("five_card", ace_low=False), rules)
        return Count(lines, play.outcomes, Fraction(play.staked, rules.size[1]))
    if rules.game == "hands_not_folded":
        assert rules.main
        lines = line_counts(best_play(rules.main, bet_more=True).shown, rules)
        lines[-1] = rules.size[0] - sum(lines[:-1])  # what was folded is lost as well
        return Count(lines)
    if rules.game == "highest_of":
        return Count(count_highest(rules))
    if CARDS_SEEN[rules.evaluator] == 7:
        return Count(count_seven(rules))
    return Count(line_counts(tally(rules.evaluator, ace_low=rules.ace_low), rules))


def recount_faults(it: Certificate) -> Iterator[str]:
    """Yield where a recount finds something else."""
    right = recount(it.rules, bet_more=it.bet_more)
    if sum(right.lines) != it.hands:
        raise AssertionError("this program counted wrongly: its lines do not add up")
    lines = {hand: count for hand, _, count in it.lines}
    yield from different("line", lines, dict(zip(lines, right.lines, strict=True)), "the recount found")
    if right.outcomes is not None:
        yield from different("outcomes: net result", dict(it.outcomes), right.outcomes, "the recount found")
    if right.average_wager not in {None, it.figures.get("average_wager")}:
        yield f"average_wager: {show(str(it.figures['average_wager']))}, but the recount found {right.average_wager}"


def verdict(it: Certificate, *, counting: bool, book: Rulebook | None, signer: str) -> tuple[bool, str]:
    """Return whether a certificate holds, and that in words."""
    faults = (document_faults(it, book) if book else []) + issue_faults(it, signer)
    faults = faults or arithmetic_faults(it) or (list(recount_faults(it)) if counting else [])
    if faults:
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        return False, f"not valid: {'; '.join(faults[:3])}{more}"
    envy = ", except envy_per_other_player, which is not checked" if "envy_per_other_player" in it.figures else ""
    source = f"; printed in {show(it.raw['clause'])}" if book else "; pays and clause not compared with the document"
    source = "; custom: no document prints it" if it.raw["clause"] == CUSTOM else source
    issue = it.raw.get("issued", {})
    signed = f"; issued {issue['at']}, signed by {issue['signer']}" if "signer" in issue else ""
    return True, f"valid: {'recounted' if counting else 'arithmetic only'}{envy}{source}{signed}"


def read(name: str, parse_bytes: Callable[[bytes], T]) -> T | None:
    """Return what a file holds, or say on standard error why it cannot be read."""
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - one way to open is enough
            return parse_bytes(file.read())
    except Unreadable as error:
        print(f"{show(name)}: {error}", file=sys.stderr)
    except OSError as error:
        print(f"{show(name)}: {error.strerror}", file=sys.stderr)
    return None


def check_file(name: str, *, counting: bool, book: Rulebook | None, signer: str) -> int:
    """Check the certificates of one file, print the verdicts and return the exit code for it."""
    found = read(name, parse)
    if found is None:
        return 2
    code = 0
    for place, it in enumerate(found, 1):
        holds, words = verdict(it, counting=counting, book=book, signer=signer)
        print(f"{show(name)}: {place}. {it.title}: {words}", flush=True)
        code = code if holds else 1
    return code


def main(arguments: list[str]) -> int:
    """Check all files that the arguments name and return the exit code."""
    parser = argparse.ArgumentParser(description="Check certificates of priced wagers.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a JSON certificate, or a list of them")
    parser.add_argument("--no-recount", action="store_true", help="check hash, sums and figures only")
    parser.add_argument("--rulebook", metavar="FILE", help="the rulebook to compare pays, rules and clause with")
    parser.add_argument("--key", metavar="PUBLIC", default="", help="the public key that must have signed every one")
    options = parser.parse_args(arguments)
    book = read(options.rulebook, rulebook_of) if options.rulebook else None
    if options.rulebook and book is None:
        return 2
    try:
        counting = not options.no_recount
        return max(check_file(name, counting=counting, book=book, signer=options.key) for name in options.files)
    except BrokenPipeError:
        # nobody reads the verdicts; without this Python would try once more on its way out, and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except (MemoryError, KeyboardInterrupt) as error:
        print(f"not checked to the end: {type(error).__name__}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
