import Basics

@testable import EditModel

/// The reference page of adjustments, made from ``Parameter/description`` and ``BuiltInLook``.
enum ParameterReference {
  /// The page in Markdown.
  static var markdown: String {
    var lines = [
      "# Adjustments", "",
      "Made from the code (`ParameterReference`); a test compares it. A slider is set, not stacked: the order in",
      "which values are given never matters. Values are rounded to their step. Without a unit, a value is a share of",
      "the slider's way.", "",
      "In the formulas p is the value; v is a value encoded with the transfer function of sRGB, 0 to 1; linear light",
      "is 1 for reference white; L and C are lightness and chroma in Oklab; s(x) is x² (3 - 2 x) with x kept from 0 to 1;",
      "S is the longer side of the picture as it comes out, so that a photo and its movie look alike at one size. This is",
      "process \(Edit.process), which every edit and preset records from now on.", "",
      "First comes noise reduction, on the picture as it was. Then light by areas: b is the light of the area around a place in",
      "EV from white, as it will be exposed, and d what the light of the place is beyond that in EV, times 1 / (1 + |d| / 2).",
      "An area is what is left of a picture without texture smaller than S / 50, with its edges (`LightBase`); light and",
      "chroma of a place are multiplied alike. Then colours: white balance; exposure; brightness, whites and the curve of luma,",
      "which change the channels in proportion to what they do to Σ|c|³ / Σc²; black point, contrast, levels and the curve,",
      "channel by channel, and after these the hue that white balance left; curves of red, green and blue; ranges of hue,",
      "saturation and vibrance, grading; black and white; the look. All of it happens in linear light with the primaries of",
      "BT.2020, on values encoded from it, or in Oklab.",
      "",
      "Noise goes first, out of the codes of the source, before anything can raise it. How much there is, e, is found in the",
      "picture itself, by frequency and by level: 0.5 takes away what is noise, 1 what is below twice as much. The blocks",
      "overlap and begin at every second column and row; their means stay, and so do the colours of areas. In a movie the",
      "frames before are looked at too: each frame is laid over them along the motion of blocks, coefficient by coefficient",
      "where they differ by no more than noise, and what is left of the noise is taken out as in a photo. Planes with less",
      "noise than rounding, 1/√12 of a code, stay as they are. A movie is encoded the",
      "finer, the more noise its first frame had: by about the bits that the noise would have taken.", "",
      "What would leave the gamut comes back before black and white, by chroma, at its hue and lightness: of the greatest",
      "chroma that fits, more than k becomes k + (1 - k) t / (1 + t) with t the excess divided by 1 - k, where k is 0.8 or the",
      "share that the colour had before. The soft shoulder: beyond its knee k, x becomes",
      "k + (top - k) t (1 + t/m²) / (1 + t) with t = (x - k) / (top - k) and m the same of the greatest value that x can have,",
      "which so goes to the top. For exposure and white balance the knee is at half of the top.", "",
      "The ranges of hue have their middles at \(Parameter.hueRanges.map { String(Int($0.degrees)) }.joined(separator: ", "))",
      "degrees of Oklab and pass over into one another by s. Shadows have the weight 1 - s((L - 0.2) / 0.45), highlights",
      "s((L - 0.55) / 0.4), mid-tones what is left of 1.", "",
      "Sharpness, vignette and grain come last, on codes, in this order. Y is luma in 8-bit codes; a radius is the standard",
      "deviation of a bell. m and V are the mean and the variance around a place. Sharpness leaves the mean of brightness as it",
      "is, and flat areas flat. Where a radius is less than half of a pixel, as that of sharpness in a movie with fewer than 1000",
      "columns, the picture has nothing of that size and the effect fades away.", "",
      "A vignette follows the shape of the picture: d is 0 in its middle, 1 in the corners, and the same on ellipses.",
      "It moves red, green and blue by one share, so hues stay, and grey stays grey. Grain lies still: its pattern",
      "belongs to places of the picture and follows from the values of grain alone, in the photo as in every frame. Where",
      "pixels are larger than grains, as in most movies, they have the mean of several, which stands out less.",
    ]
    for group in EditPart.groups {
      lines += [
        "", "## " + title(group), "", "| name | values | neutral | what it does | formula |",
        "|---|---|---|---|---|",
      ]
      for parameter in Parameter.allCases where parameter.description.group == group {
        lines.append(row(parameter))
      }
    }
    lines += [
      "", "## Geometry", "",
      "`geometry` is counted in the picture after its turns and flips. A point p, from the picture's middle in halves of",
      "its longer side, goes to R (p / (1 + \(Geometry.fullPerspective) (h x + v y))): `horizontalPerspective` h and",
      "`verticalPerspective` v (\(Int(Geometry.perspectives.lowerBound)) … \(Int(Geometry.perspectives.upperBound)), in"
        + " steps of 0.001) widen the left and the upper side, R turns clockwise by `straighten`",
      "(\(Int(Geometry.angles.lowerBound)) … \(Int(Geometry.angles.upperBound)) degrees, in steps of 0.01). Seen is the"
        + " frame: the largest upright rectangle of the picture's",
      "shape that has no empty corner. `crop` is a `rectangle` of the frame (left, top, width, height as fractions in steps",
      "of 0.000001), which may reach beyond the frame as far as the picture covers it, or an `aspect`: the largest upright",
      "rectangle of that shape without an empty corner, nearest to its `anchor` where it could lie at several places. A turn",
      "of the picture turns all of it along.",
      "", "## Time and sound", "",
      "`motion` holds what is not neutral of: `trim`, two times in seconds of the unedited movie, in steps of 0.000001:",
      "frames are kept that begin from the first on and before the second, and sound and timed metadata are cut along;",
      "`volume`, what the sound is multiplied with, 0 … 1 in steps of 0.01, where 0 leaves it out; `live`, false where the",
      "photo stands alone, untied; `keyPhoto`, a time of the unedited movie whose frame the photo is made of; `effect`.",
      "",
      "Effects are made of the frames that a trim keeps, at most \(Motion.Effect.mostFrames) of them, each shown as long as before, and are silent.",
      "The camera is held in the place of the photo's frame where that leaves 4/5 of the picture's sides; where it moves",
      "further, it follows its own way, smoothed over half of the frames, a quarter and so on. The picture is cut to",
      "what all frames cover, in its own shape, and is not enlarged. `bounce` shows the frames there and back without",
      "the last one and the first again. `loop` shows a part of at least half of the frames, with the photo's moment, whose",
      "last 0.4 seconds, or a quarter of the frames where they are fewer, look most like what precedes its first frame,",
      "and cross-fades the two linearly, code by code; it begins where least moves. The photo's place is where its frame is shown first.",
      "`longExposure` changes the photo alone: the mean of the frames in linear light, laid upon the photo's frame, of those that are no farther",
      "from it than 1/20 of the longer side. It is shown where luma, in means of some pixels, varies by more than noise and half of",
      "its slope, its light times the ratio of the photo to its frame around; elsewhere the photo stays. Its gain map is removed.",
      "", "## Curve", "",
      "`curve`: up to \(ToneCurve.largestCount) points from 0 to 1 in steps of 0.001, joined by a monotone cubic.",
      "Where none is given for 0 or 1, it begins at (0, 0) and ends at (1, 1). `channelCurves` has such curves of `luma`,",
      "`red`, `green` and `blue`; the last three work on values encoded as sRGB.", "", "## Looks", "",
      "`look`: one of those below or a `.cube` file (1D, 3D or both; up to \(LookTable.largestCurve) samples a curve and",
      "\(LookTable.largestLattice) an axis), with an intensity from 0.01 to 1. Tables work on values encoded as sRGB.",
      "",
      "| name | what it looks like |", "|---|---|",
    ]
    lines += BuiltInLook.allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
    lines += [
      "",
      "## What was found in photos of other programs",
      "",
      "`local`: gains of lightness and chroma over place and lightness, in a grid (`LocalGains`): `columns`, `rows`, `levels` and",
      "`samples`, two signed bytes a node in base 64, levels fastest, then columns. Only `adopt` makes it. After the look, luma above black",
      "and chroma are multiplied by 2^(a/64), and chroma besides by 1 + b/127, with a and b interpolated along all three axes. Places are",
      "those of the photo before turns and crops; in the movie they follow the camera.",
      "",
      "Adjustment data with `adopted` (format 1.5) is of a photo that another program made: `edit` was found in it, and only the movie",
      "is rendered by it.",
      "",
      "A look with `\"gamut\": \"p3\"` (format 1.7) was found in a photo with colours beyond sRGB that was made of one of sRGB: a photo of sRGB",
      "becomes one of Display P3 with it, and colours that this holds are not cut off. Movies, and photos of wider colours, keep theirs.",
      "",
      "## Facts",
      "",
      "`facts` (format 1.6): what the files say of the capture. `date`: `clock` and `instant`, the seconds by which dates without a time",
      "zone and moments move, or `set`, what the clock showed; `offset` from UTC in minutes and `zone` where they are told anew. `place`:",
      "`latitude`, `longitude` and `altitude`, or nothing for a place that is removed. `description`: `title`, `caption` and `rating`,",
      "`keywords` and `persons` with those `added` and `removed`. No picture changes by it ([Documentation/Facts.md](Documentation/Facts.md)).",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func title(_ group: EditPart) -> String {
    switch group {
    case .light: "Light"
    case .color: "Colour"
    case .blackAndWhite: "Black and white"
    case .detail: "Detail"
    case .effects: "Effects"
    default: group.rawValue
    }
  }

  private static func row(_ parameter: Parameter) -> String {
    let about = parameter.description
    func text(_ value: Double) -> String {
      JSONValue.decimal(parameter.steps(value), digits: about.digits).canonicalText
    }
    let values = text(about.range.lowerBound) + " … " + text(about.range.upperBound)
    let unit = about.unit.map { " " + $0 } ?? ""
    // A bar would end the cell.
    let formula = about.formula.split(separator: "|").joined(separator: "\\|")
    return
      "| `\(parameter.rawValue)` | \(values)\(unit) | \(text(about.neutral)) | \(about.summary) | \(formula) |"
  }
}
