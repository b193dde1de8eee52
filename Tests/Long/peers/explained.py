"""The explanations in Documentation/OtherPrograms.md: table rows with the four columns peer, statement, edit and reason."""

import re


class Explanation:
    def __init__(self, peer, statement, edit, why):
        self.peer, self.statement, self.edit, self.why = peer, statement, edit, why
        self.used = 0

    def explains(self, peer, statement, detail, edit):
        """Whether the row applies to a statement, with or without its detail, after an edit."""
        said = matches(self.statement, statement) or (detail and matches(self.statement, f"{statement}: {detail}"))
        return matches(self.peer, peer) and said and any(matches(one.strip(), edit) for one in self.edit.split(","))


def matches(pattern, text):
    """Whether text matches the pattern, in which `*` stands for any characters."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.S) is not None


def read(path):
    """The explanations of a document. The statement is in backticks; `\\|` in it stands for a vertical line."""
    found = []
    with open(path, encoding="utf-8") as document:
        for line in document:
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
            if len(cells) == 4 and cells[1].startswith("`"):
                found.append(Explanation(cells[0].strip("`"), cells[1].strip("`").strip(), cells[2].strip("`") or "*", cells[3]))
    return found
