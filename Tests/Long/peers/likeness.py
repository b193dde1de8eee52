"""Decides whether a picture shows the whole of another one, or only the part that a crop kept."""

import numpy as np
from PIL import Image

# The percentage of the width that a crop keeps, from the left. At 40, no usual shape equals that of its part rotated by 90°.
KEPT = 40
# Pictures are compared at this size, whatever their shape.
SIDE = 48
# The correlation from which pictures count as alike, and the difference between two correlations that is decisive.
ALIKE, DECIDES = 0.8, 0.05
# The mean difference of levels that decides if correlations do not: smooth maps resemble their own halves, but are brighter or darker.
LEVELS = 4.0
TURNS = [None, *Image.Transpose]


def levels(picture):
    return np.asarray(picture.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX), float)


def views(picture):
    """A picture in all eight orientations."""
    return [levels(picture if turn is None else picture.transpose(turn)) for turn in TURNS]


def parts(picture):
    """The part of a picture that a crop keeps; any side of the picture may be its left."""
    width, height = picture.size
    across, down = max(width * KEPT // 100, 1), max(height * KEPT // 100, 1)
    return [levels(picture.crop(box)) for box in ((0, 0, across, height), (width - across, 0, width, height), (0, 0, width, down), (0, height - down, width, height))]


def correlation(one, other):
    a, b = one - one.mean(), other - other.mean()
    scale = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / scale) if scale else 0.0


def difference(one, other):
    return float(np.abs(one - other).mean())


def other_shape(picture, shape):
    """Whether a picture has neither a shape (width by height) nor that shape rotated by 90°."""
    ratio = picture.width / picture.height
    return all(abs(ratio / wanted - 1) > 0.06 for wanted in (shape, 1 / shape))


class Wholes:
    """The pictures of an original, each with the part of it that a crop keeps."""

    def __init__(self, pictures):
        self.known = [(levels(picture), parts(picture)) for picture in pictures]

    def alarm(self, picture, same_colors):
        """The reason why a picture shows the whole, or None. Without `same_colors`, only the shapes in it are compared."""
        seen = views(picture)
        whole, part = (max((correlation(view, one) for view in seen for known in self.known for one in chosen(known)), default=0) for chosen in (lambda known: known[:1], lambda known: known[1]))
        if whole < ALIKE or part > whole + DECIDES:
            return None
        if whole > part + DECIDES:
            return f"is like the whole ({whole:.2f}), not like the part ({part:.2f})"
        if not same_colors:
            return None
        whole, part = (min(difference(view, one) for view in seen for known in self.known for one in chosen(known)) for chosen in (lambda known: known[:1], lambda known: known[1]))
        return f"has the levels of the whole (off by {whole:.1f}), not those of the part (off by {part:.1f})" if whole + LEVELS < part else None

    @staticmethod
    def is_plain(picture):
        """Whether a picture is so plain that its whole and its part look the same."""
        return min(difference(view, part) for view in views(picture) for part in parts(picture)) < 1.5 * LEVELS
