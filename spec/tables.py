"""How the generators read the tables of this directory."""


def rows(text, name):
    """Yields one dict per row of a tab-separated table; its last comment line before the data names the columns."""
    columns = None
    for line in text.splitlines():
        if line.startswith("#"):
            columns = line[1:].strip().split("\t")
        elif line.strip():
            cells = line.split("\t")
            if len(cells) != len(columns):
                raise SystemExit(f"{name}: {len(cells)} cells, {len(columns)} columns: {line!r}")
            yield dict(zip(columns, cells))
