"""The cells of a data table -> labels: headers over values, under what names the record.

Paper: OntoMiner 4.2.2 (Data Extractor: what it extracts is given to the partitioner)
"""

from typing import Protocol

from sitestrata.partition.lines import Label, cover_all
from sitestrata.partition.tables.grids import Grid, GridCell
from sitestrata.partition.tables.headers import Headers, header_rows

__all__ = ["ReadCells", "table_labels"]


class ReadCells(Protocol):
    """How a profile reads the cells of one table."""

    def caption(self, grid: Grid) -> list[Label]:
        """Return the caption as the one label over the table; an empty list where there is none."""
        ...

    def head(self, cell: GridCell) -> Label:
        """Return what a header cell says, as one label."""
        ...

    def value(self, cell: GridCell) -> list[Label]:
        """Return what a data cell says."""
        ...

    def whole_row(self, cell: GridCell) -> Label:
        """Return a label without a text for the row of a cell."""
        ...


def table_labels(grid: Grid, headers: Headers, cells: ReadCells) -> list[Label]:
    """Return the records of a data table: headers over values, under what names the record."""
    return _Writer(grid, headers, cells).write()


class _Writer:
    def __init__(self, grid: Grid, headers: Headers, cells: ReadCells) -> None:
        self.grid = grid
        self.headers = headers
        self.cells = cells
        self.slots = grid.slots.data
        self.units = headers.roles.index("unit") if "unit" in headers.roles else -1

    def write(self) -> list[Label]:
        """Write row by row."""
        roles = self.headers.roles
        out = self.cells.caption(self.grid)
        groups = out[0].children if out else out  # where sections go
        section = groups
        names: list[tuple[int, Label]] = []  # the chain of cells over the row before
        is_begun = False
        for row, (role, top) in enumerate(zip(roles, header_rows(roles), strict=True)):
            if role in ("title", "section"):
                number = self.slots[row, 0]
                if number < 0 or not self.grid.cells[number].text:
                    continue
                head = self.cells.head(self.grid.cells[number])
                if role == "title" or not is_begun:  # what no row stands under by itself holds all that follows
                    groups = section
                groups.append(head)
                section, names = head.children, []
                is_begun = is_begun or role == "section"
            elif role in ("data", "total"):
                if self.headers.again:
                    self.pairs(row, section)
                else:
                    self.record(row, top, section, names)
                is_begun = True
        for label in out:
            cover_all(label)
        return out

    def record(self, row: int, top: tuple[int, ...], section: list[Label], names: list[tuple[int, Label]]) -> None:
        """Add one row to its section; ``top`` are its header rows, ``names`` the chain before it."""
        grid, headers, slots = self.grid, self.headers, self.slots
        chain: list[int] = []
        for column in range(headers.left):
            chain += [slots[line, column] for line in (*top, row)]
        place = self.under(chain, section, names)
        values: list[Label] = []
        over: list[tuple[int, Label]] = []
        seen = -1
        for column in range(headers.left, grid.columns):
            number = slots[row, column]
            if number < 0 or number == seen:
                continue
            if grid.cells[number].row != row and grid.cells[number].leaves > 1:
                continue  # one value is copied, as the cleaner does; more, which reach here from above, were read there
            seen = number
            value = self.cells.value(grid.cells[number])
            if value:
                self.under([slots[line, column] for line in top], values, over).extend(value)
                unit = grid.text(self.units, column) if self.units >= 0 else ""
                if over and not over[-1][1].text.endswith(unit):
                    over[-1][1].text += " " + unit
        if len(values) < 2 or (names and grid.cells[names[-1][0]].rowspan == 1):
            place.extend(values)
        else:  # nothing names this record alone: a label without a text holds it together
            whole = self.cells.whole_row(grid.cells[seen])
            whole.children = values
            place.append(whole)

    def pairs(self, row: int, section: list[Label]) -> None:
        """Add one row of labels and values in turn to its section."""
        labels = set(self.headers.left_columns(self.grid.columns))
        place = section
        seen = -1
        for column in range(self.grid.columns):
            number = self.slots[row, column]
            if number < 0 or number == seen or not self.grid.cells[number].text:
                continue
            seen = number
            if column in labels:
                head = self.cells.head(self.grid.cells[number])
                section.append(head)
                place = head.children
            else:
                place.extend(self.cells.value(self.grid.cells[number]))

    def under(self, chain: list[int], out: list[Label], known: list[tuple[int, Label]]) -> list[Label]:
        """Return where to add what stands under a chain of cells; labels that ``known`` begins with are not made again.

        A cell that spans several rows or columns of headers stands in the chain once.
        """
        cells = self.grid.cells
        numbers = [number for number in dict.fromkeys(chain) if number >= 0 and cells[number].text]
        at = 0
        while at < len(numbers) and at < len(known) and known[at][0] == numbers[at]:
            at += 1
        del known[at:]
        place = known[-1][1].children if known else out
        for number in numbers[at:]:
            label = self.cells.head(cells[number])
            place.append(label)
            known.append((number, label))
            place = label.children
        return place
