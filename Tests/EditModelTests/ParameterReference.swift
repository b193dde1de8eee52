import Basics

@testable import EditModel

/// The reference page of adjustments, generated from ``Parameter/description`` and ``BuiltInLook``.
enum ParameterReference {
  /// The page in Markdown.
  static var markdown: String {
    var lines = [
      "# Adjustments", "",
      "This page lists every parameter of an edit with its range, effect and formula. The page is generated from the code",
      "(`ParameterReference`), and a test compares the page with the code. A slider replaces its previous value and does not add",
      "to it, so the order of the values never matters. Values are rounded to the parameter's step. A value without a unit is a",
      "fraction of the slider's range.",
      "",
      "In the formulas:", "",
      "- p is the value of the parameter.",
      "- v is a value from 0 to 1, encoded with the transfer function of sRGB. In linear light, 1 is reference white.",
      "- L and C are lightness and chroma in Oklab.",
      "- s(x) is x² (3 - 2 x), with x clamped to the range from 0 to 1.",
      "- S is the longer side of the resulting picture, so that a photo and its movie look alike at the same size.",
      "",
      "These are the formulas of process \(Edit.process), which every new edit and preset records.", "",
      "The steps of an edit run in this order:", "",
      "1. Noise reduction, on the unedited picture.",
      "2. Local light. b is the light of the area around a position after exposure, in EV relative to white. d is the light at",
      "   the position minus b in EV, then multiplied by 1 / (1 + |d| / 2). Areas are the picture without texture smaller than",
      "   S / 50, but with the picture's edges (`LightBase`). Light and chroma at a position are multiplied by the same factor.",
      "3. White balance.",
      "4. Exposure.",
      "5. Brightness, whites and the luma curve. They scale all channels by the same factor, according to their effect on",
      "   Σ|c|³ / Σc².",
      "6. Black point, contrast, levels and the curve, in each channel. Then the hue that each colour had after white balance is",
      "   restored.",
      "7. The red, green and blue curves.",
      "8. Hue ranges, saturation and vibrance, grading.",
      "9. Black and white.",
      "10. The look.",
      "11. Sharpness, vignette and grain.", "",
      "Steps 2 to 10 use linear light with BT.2020 primaries, values encoded from this linear light, or Oklab.",
      "",
      "**Noise reduction** works on the coded values of the source, before another step can amplify noise. The noise e is",
      "measured in the picture itself, by frequency and by level. The value 0.5 removes the noise, and the value 1 removes",
      "everything below twice the noise. The blocks that are processed overlap and begin at every second column and row. The",
      "means of blocks and the colours of areas do not change. In a movie, the preceding frames are also used: each frame is",
      "merged with the preceding frames along the motion of blocks, for all coefficients that differ by no more than the noise.",
      "The remaining noise is removed as in a photo. Planes with less noise than rounding causes (1/√12 of a code) do not change.",
      "The noisier the first frame of a movie was, the more finely the movie is encoded: with about the bits that the noise would",
      "have used.", "",
      "**Gamut.** Before black and white, colours outside the gamut are brought into the gamut by reducing their chroma at",
      "constant hue and lightness. Chroma is measured as a fraction of the largest chroma that fits into the gamut. A fraction",
      "above k becomes k + (1 - k) t / (1 + t), where t is the excess over k divided by 1 - k. k is 0.8, or the colour's fraction",
      "before the edit if this fraction was greater.", "",
      "**Soft shoulder.** A value x above the knee k of a soft shoulder becomes k + (top - k) t (1 + t/m²) / (1 + t), where",
      "t = (x - k) / (top - k), and m is the value of t for the largest possible x. The largest possible x therefore becomes the top.",
      "For exposure and white balance, the knee is at half of the top.", "",
      "**Hue ranges** are centred at \(Parameter.hueRanges.map { String(Int($0.degrees)) }.joined(separator: ", "))",
      "degrees in Oklab, and blend into one another according to s. In grading, shadows have the weight 1 - s((L - 0.2) / 0.45),",
      "highlights have the weight s((L - 0.55) / 0.4), and midtones have the remaining weight, so that the sum is 1.",
      "",
      "**Sharpness, vignette and grain** work on coded values. Y is luma in 8-bit codes. A radius is the standard deviation of a",
      "Gaussian curve. m and V are the mean and the variance around a position. Sharpness does not change the mean brightness,",
      "and flat areas stay flat. If a radius is less than half a pixel, the picture has no detail of that size, and the effect",
      "fades. This is the case for sharpness in a movie with a width of less than 1000 pixels.", "",
      "A vignette follows the shape of the picture: d is 0 at the centre and 1 in the corners, and constant along ellipses. Red,",
      "green and blue change by the same fraction, so hues do not change, and grey stays grey.", "",
      "Grain does not move: its pattern depends only on the position in the picture and on the values of the grain parameters,",
      "and is the same in the photo and in every frame. If pixels are larger than grains, as in most movies, each pixel is the",
      "mean of several grains, and the grain is less visible.",
    ]
    for group in EditPart.groups {
      lines += [
        "", "## " + title(group), "", "| name | values | neutral | effect | formula |",
        "|---|---|---|---|---|",
      ]
      for parameter in Parameter.allCases where parameter.description.group == group {
        lines.append(row(parameter))
      }
    }
    lines += [
      "", "## Geometry", "",
      "`geometry` applies to the picture after its rotation and flips.", "",
      "- `horizontalPerspective` h and `verticalPerspective` v (\(Int(Geometry.perspectives.lowerBound)) … \(Int(Geometry.perspectives.upperBound)), in"
        + " steps of 0.001) widen the left side and the upper side of the picture, respectively.",
      "- `straighten` (\(Int(Geometry.angles.lowerBound)) … \(Int(Geometry.angles.upperBound)) degrees, in steps of 0.01)"
        + " rotates clockwise.",
      "- A point p with the coordinates x and y, measured from the centre in halves of the picture's longer side, moves to",
      "  R (p / (1 + \(Geometry.fullPerspective) (h x + v y))), where R is the rotation by `straighten`.",
      "- The frame is the visible part: the largest upright rectangle that has the picture's aspect ratio and no empty corners.",
      "- `crop` is a `rectangle` or an `aspect`. A `rectangle` is given as left, top, width and height, as fractions of the frame",
      "  in steps of 0.000001. The rectangle can extend beyond the frame if the picture covers all of it. An `aspect` selects",
      "  the largest upright rectangle that has this aspect ratio and no empty corners. If several positions are possible, the",
      "  rectangle has the position nearest to its `anchor`.", "",
      "If the picture is rotated, all these values rotate with the picture.",
      "", "## Time and audio", "",
      "`motion` contains the values that are not neutral:", "",
      "- `trim`: two times in the unedited movie, in seconds, in steps of 0.000001. Frames are kept if they begin at or after the",
      "  first time and before the second time. Audio and timed metadata are cut to match.",
      "- `volume`: the factor for the audio, 0 … 1 in steps of 0.01. 0 removes the audio.",
      "- `live`: false if the Live Photo becomes a photo without a movie and without a pairing identifier.",
      "- `keyPhoto`: a time in the unedited movie. The frame at this time becomes the photo.",
      "- `effect`: `bounce`, `loop` or `longExposure`.",
      "",
      "Effects use the frames that the trim keeps, at most \(Motion.Effect.mostFrames). Each frame keeps its duration. `bounce` and `loop` remove the audio",
      "and stabilise the movie. The stabilised camera stays at the position of the photo's frame if at least 4/5 of the picture's",
      "width and height remain. Otherwise the stabilised camera follows the real camera's path, smoothed over half of the frames,",
      "then over a quarter, and so on, until at least 4/5 remain. The picture is cropped to the area that all frames cover, with",
      "the picture's aspect ratio, and is not enlarged.", "",
      "- `bounce` plays the frames forwards, then backwards. The backward part omits the last frame and the first frame.",
      "- `loop` plays a range that has at least half of the frames and contains the photo's moment. The last frames of the range",
      "  (0.4 seconds, or a quarter of the frames if that is less) are as similar as possible to the frames before the range.",
      "  These two groups of frames are cross-faded linearly, code by code. Playback begins at the frame with the least motion.",
      "  The photo's moment is the time at which the photo's frame is first shown.",
      "- `longExposure` changes only the photo. It uses the frames that are displaced from the photo's frame by at most 1/20 of",
      "  the longer side, aligns these frames with the photo's frame, and computes their mean in linear light. The photo shows",
      "  the mean at positions where luma, averaged over several pixels, varies by more than the noise plus half of the luma's",
      "  slope. The light of the mean is multiplied by the ratio between the photo and the photo's frame in the surrounding area.",
      "  The rest of the photo does not change. The photo's gain map is removed.",
      "", "## Curve", "",
      "`curve` has up to \(ToneCurve.largestCount) points from 0 to 1 in steps of 0.001, joined by a monotone cubic. A curve without a point for 0 begins",
      "at (0, 0), and a curve without a point for 1 ends at (1, 1). `channelCurves` contains such curves for `luma`, `red`, `green`",
      "and `blue`. The curves for `red`, `green` and `blue` work on values encoded as sRGB.", "", "## Looks",
      "",
      "`look` is one of the looks below or a `.cube` file (1D, 3D or both; up to \(LookTable.largestCurve) samples per curve and",
      "\(LookTable.largestLattice) per axis), with an intensity from 0.01 to 1. Tables work on values encoded as sRGB.",
      "",
      "| name | appearance |", "|---|---|",
    ]
    lines += BuiltInLook.allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
    lines += [
      "",
      "## Edits adopted from other programs",
      "",
      "`local` contains gains of lightness and chroma that depend on position and lightness, in a grid (`LocalGains`): `columns`,",
      "`rows`, `levels` and `samples`. The samples are two signed bytes a and b for each node in base 64, in the order of levels,",
      "then columns, then rows. Only `adopt` creates `local`. After the look, luma above black and chroma are multiplied by",
      "2^(a/64), and chroma is also multiplied by 1 + b/127. a and b are interpolated along all three axes. Positions refer to",
      "the photo before rotation and crop; in the movie, positions follow the camera.",
      "",
      "Adjustment data with `adopted` (format 1.5) belongs to a photo that another program edited. `edit` then describes the edit",
      "that was found in this photo, and is applied only to the movie.",
      "",
      "A look with `\"gamut\": \"p3\"` (format 1.7) was found in an edited photo that has colours outside sRGB although its original is an",
      "sRGB photo. With this look, an sRGB photo becomes a Display P3 photo, and colours that Display P3 can represent are not",
      "clipped. Movies, and photos with a wider colour space, keep their colour space.",
      "",
      "## Facts",
      "",
      "`facts` (format 1.6) changes the metadata that describes the capture. It does not change pictures",
      "([Documentation/Facts.md](Documentation/Facts.md)).", "",
      "- `date` contains `clock` (the seconds by which dates without a time zone move) and `instant` (the seconds by which",
      "  moments move), or `set` (the new clock time). `date` also contains `offset` (minutes from UTC) and `zone` if they",
      "  change.",
      "- `place` contains `latitude`, `longitude` and `altitude`, or is empty if the location is removed.",
      "- `description` contains `title`, `caption` and `rating`, and the words `added` to and `removed` from `keywords` and",
      "  `persons`.",
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
    // A vertical bar would end the table cell.
    let formula = about.formula.split(separator: "|").joined(separator: "\\|")
    return
      "| `\(parameter.rawValue)` | \(values)\(unit) | \(text(about.neutral)) | \(about.summary) | \(formula) |"
  }
}
