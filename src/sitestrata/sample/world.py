"""A sample web as a whole: which groups of sites there are, how large, and where they link to one another.

Only the plans of the groups are held; a group is built when it is visited, and a few built ones are kept for the links
that others make deep into them.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from sitestrata.errors import UsageError
from sitestrata.sample.kinds import KINDS
from sitestrata.sample.markup import escape
from sitestrata.sample.prose import phrase
from sitestrata.sample.vocabulary import SYLLABLES
from sitestrata.sample.web import Group, Plan, Site, mix

__all__ = ["World", "make_world"]

# Every web that is large enough has these; several sites of one domain are needed for their ontology to overlap.
CAST = (
    ("shop",) * 4
    + ("news",) * 3
    + ("travel", "university") * 2
    + tuple(kind for kind in KINDS if kind not in ("shop", "news", "travel", "university"))
)
GROWTH = 0.6  # groups grow with pages to this power, so that larger webs have both more and larger sites
MAX_GROUP = 25_000  # pages; keeps memory bounded
DEEP_LIMIT = 3000  # groups above this size are linked by their home page only
LODGERS = ("shop", "news", "travel", "documentation", "wiki", "nomenu", "manual", "frames", "tables97")
LODGING = 0.35  # share of these that have no host of their own but a folder on a platform
KEPT = 8  # built groups kept for deep links
BLOCK = 16  # groups that link into the same inner pages of others


@dataclass(slots=True)
class World:
    """The plans of a web, and a way to build its groups."""

    seed: int
    pages: int
    hard: bool
    plans: list[Plan]
    _built: OrderedDict[int, Group] = field(default_factory=OrderedDict)

    def groups(self) -> Iterator[Group]:
        """Build and yield the groups one after the other."""
        for plan in self.plans:
            yield self.group(plan)

    def group(self, plan: Plan) -> Group:
        """Build a group with its links to the rest of the web."""
        group = _build(plan, self.hard)
        _link_out(self, group)
        return group

    def peek(self, plan: Plan) -> Group:
        """Return a group for linking into it; it has no links out."""
        group = self._built.pop(plan.number, None) or _build(plan, self.hard)
        self._built[plan.number] = group
        if len(self._built) > KEPT:
            self._built.popitem(last=False)
        return group


def make_world(
    seed: int, pages: int, *, hard: bool = False, only: Sequence[str] = (), http_only: bool = False
) -> World:
    """Plan a web of so many pages; one that is to be served on loopback has no https."""
    unknown = sorted(set(only) - set(KINDS))
    if unknown:
        raise UsageError(f"unknown kind of site: {', '.join(unknown)}; known are {', '.join(KINDS)}")
    if pages < 1:
        raise UsageError(f"a web needs at least one page, not {pages}")
    rng = Random(mix(seed, pages))  # noqa: S311 - structure, not secrets
    cast = _cast(rng, pages, tuple(dict.fromkeys(only)))
    sizes = _sizes(rng, cast, pages)
    names: set[str] = set()
    platforms = [f"{_name(rng, names)}.example" for _ in range(1 + len(cast) // 16)]
    plans = []
    shops = 0
    for number, (kind, size) in enumerate(zip(cast, sizes, strict=True)):
        group_seed = mix(seed, number, 7) & ~1
        if kind == "shop":
            group_seed |= shops // 2 % 2  # two shops of one branch, then two of the other
            shops += 1
        name = _name(rng, names)
        scheme = "https" if rng.random() < 0.75 and not http_only else "http"
        www = "www." if rng.random() < 0.55 else ""
        host = f"{scheme}://{www}{name}.{rng.choice(('example', 'example', 'test'))}"
        prefix = "/"
        if kind in LODGERS and rng.random() < LODGING:
            host, prefix = f"{scheme}://{platforms[number % len(platforms)]}", f"/{name}/"
        plans.append(Plan(number, kind, size, group_seed, name, host, _language(rng, kind), prefix))
    return World(seed, pages, hard, plans)


def _cast(rng: Random, pages: int, only: tuple[str, ...]) -> list[str]:
    """Choose the kinds of the groups: at least one of each where there is room, then at random by share."""
    cast = [kind for kind in CAST if not only or kind in only]
    wanted = max(len(cast), round(len(cast) * (pages / 1000) ** GROWTH))
    kinds = list(dict.fromkeys(cast))
    weights = [KINDS[kind][2] / KINDS[kind][1] ** 0.5 for kind in kinds]
    cast += rng.choices(kinds, weights, k=wanted - len(cast))
    if only:
        rng.shuffle(cast)
    chosen: list[str] = []
    room = pages
    for kind in cast if pages >= 800 or only else rng.sample(cast, len(cast)):
        if KINDS[kind][1] <= room:
            chosen.append(kind)
            room -= KINDS[kind][1]
    return chosen or [cast[0]]


def _sizes(rng: Random, cast: list[str], pages: int) -> list[int]:
    """Share the pages out: each kind its least, the rest by weight with a long tail."""
    least = [min(pages, KINDS[kind][1]) for kind in cast]
    rest = pages - sum(least)
    weights = [KINDS[kind][2] * 2.718281828 ** rng.gauss(0, 1.2) for kind in cast]
    limit = max(MAX_GROUP, pages // len(cast) * 2)
    total = sum(weights)
    sizes = [min(limit, low + int(rest * weight / total)) for low, weight in zip(least, weights, strict=True)]
    missing = pages - sum(sizes)
    position = 0
    while missing > 0:  # what the limit and rounding left over goes to the groups in turn
        place = position % len(sizes)
        portion = min(missing, max(1, (limit - sizes[place]) // 4)) if cast[place] != "single" else 0
        sizes[place] += portion
        missing -= portion
        position += 1
        if position > 64 * len(sizes):
            sizes[-1] += missing
            break
    return sizes


def _name(rng: Random, taken: set[str]) -> str:
    while True:
        name = "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 3, 3, 4))))
        if len(name) > 3 and name not in taken:
            taken.add(name)
            return name


def _language(rng: Random, kind: str) -> str:
    if kind in ("shop", "travel", "university"):
        return rng.choices(("en", "de", "fr", "es"), (70, 12, 9, 9))[0]
    if kind == "news":
        return rng.choices(("en", "de", "fr", "es", "ru", "ja"), (60, 10, 8, 8, 8, 6))[0]
    return rng.choices(("en", "de", "fr", "es", "ru", "ja"), (48, 16, 10, 10, 9, 7))[0]


def _build(plan: Plan, hard: bool) -> Group:
    group = Group(plan, hard)
    KINDS[plan.kind][0](group)
    return group


def _link_out(world: World, group: Group) -> None:
    """Choose what a group's pages link to elsewhere: home pages, deep pages, and pages nobody crawled."""
    plans = world.plans
    rng = Random(mix(world.seed, group.plan.number, 31))  # noqa: S311 - structure, not secrets
    count = 300 if group.plan.kind == "directory" else 14
    links: list[tuple[str, str]] = []
    for _ in range(min(count, 3 * len(plans))):
        # Few sites are linked by many: popularity falls with the cube of a uniform number.
        other = plans[int(len(plans) * rng.random() ** 3)]
        if other.number != group.plan.number:
            links.append((escape(other.name.title()), other.home))
    for other in _neighbours(world, group.plan):
        for site in rng.sample(world.peek(other).sites, 1):
            links += [
                (escape(node.label), node.url.replace("&", "&amp;"))
                for node in rng.sample(site.nodes, min(4, len(site.nodes)))
            ]
    for number in range(6):
        links.append(
            (escape(phrase(group.plan.language, rng)), f"https://elsewhere{rng.randrange(5000)}.example/{number}/")
        )
    for site in group.sites:
        _give_links(site, links)
    _link_inside(group, rng)


def _neighbours(world: World, plan: Plan) -> list[Plan]:
    """Choose the groups whose inner pages are linked: the same few for a block of groups, so that few are built."""
    block = plan.number // BLOCK
    rng = Random(mix(world.seed, block, 37))  # noqa: S311 - structure, not secrets
    window = world.plans[max(0, (block - 2) * BLOCK) : (block + 3) * BLOCK]
    near = [other for other in window if other.pages <= DEEP_LIMIT]
    return [other for other in rng.sample(near, min(4, len(near))) if other is not plan]


def _give_links(site: Site, links: list[tuple[str, str]]) -> None:
    rng = Random(mix(site.seed, 41))  # noqa: S311 - structure, not secrets
    site.out_links += links if site.kind == "directory" else rng.sample(links, min(len(links), 12))


def _link_inside(group: Group, rng: Random) -> None:
    """Let the sites of one group mention one another now and then; sisters are left to their one-way links."""
    if len(group.sites) < 2 or group.plan.kind == "sisters":
        return
    for site in group.sites:
        for other in rng.sample(group.sites, min(2, len(group.sites))):
            if other is not site:
                site.out_links.append((escape(other.name), other.home.url.replace("&", "&amp;")))
