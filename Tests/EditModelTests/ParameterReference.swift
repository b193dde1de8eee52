import Basics

@testable import EditModel

/// The reference page of adjustments, generated from ``Parameter/description`` and ``BuiltInLook``.
enum ParameterReference {
  /// The page in Markdown.
  static var markdown: String {
    var lines = [
      "# Adjustments", "",
      "This page lists every parameter of an edit with its range, effect and formula. The page is generated from the code",
      "(`ParameterReference`), and a test compares the page with the code. Setting a slider replaces its previous value, so the",
      "order in which values are set never matters. Values are rounded to the parameter's step. A value without a unit is a",
      "fraction of the slider's range.",
      "",
      "In the formulas:", "",
      "- p is the value of the parameter.",
      "- v is a value from 0 to 1, encoded with the transfer function of sRGB. In linear light, 1 is reference white.",
      "- L and C are lightness and chroma in Oklab.",
      "- s(x) is x² (3 - 2 x), with x clamped to the range from 0 to 1.",
      "- S is the longer side of the resulting picture, so that a photo and its movie look alike at the same size.",
      "",
      "These are the formulas of process version \(Edit.process). Every new edit and preset records this version number.",
      "",
      "The steps of an edit run in this order:", "",
      "1. Noise reduction, on the unedited picture.",
      "2. Local light. b is the light of the area around a position after exposure, in EV relative to white. d is D / (1 + |D| / 2),",
      "   where D is the light at the position minus b, in EV. To determine the light of areas, texture smaller than S / 50 is",
      "   removed from the picture, but edges are kept (`LightBase`). Light and chroma at a position are multiplied by the same",
      "   factor.",
      "3. White balance.",
      "4. Exposure.",
      "5. Brightness, whites and the luma curve. They are applied to Σ|c|³ / Σc², and all channels are scaled by the factor by",
      "   which this value changes.",
      "6. Black point, contrast, levels and the curve, in each channel. Each colour then gets back the hue that it had after",
      "   white balance.",
      "7. The red, green and blue curves.",
      "8. Hue ranges, saturation and vibrance, grading.",
      "9. Black and white.",
      "10. The look.",
      "11. Sharpness, vignette and grain.", "",
      "Steps 2 to 10 use linear light with BT.2020 primaries, values encoded from this linear light, or Oklab.",
      "",
      "**Noise reduction** works on the coded values of the source, before another step can amplify noise. The noise e is",
      "measured in the picture itself, for each frequency and each brightness level. The value 0.5 removes the noise, and the",
      "value 1 removes everything below twice the noise. The picture is processed in overlapping blocks. A block begins at every",
      "second pixel in each direction. The means of blocks and the colours of areas do not change. In a movie, each frame is also",
      "merged with the preceding frames: blocks are followed along their motion, and coefficients are merged if they differ by no",
      "more than the noise. The remaining noise is removed as in a photo. Planes with less noise than the rounding error (1/√12",
      "of a code value) do not change. The noisier the first frame of a movie was, the higher the quality at which the movie is",
      "encoded. The movie then uses about as many bits as it would have used with the noise.", "",
      "**Gamut.** Before black and white, colours outside the gamut are brought into the gamut by reducing their chroma at",
      "constant hue and lightness. Chroma is measured as a fraction of the largest chroma that is inside the gamut. A fraction",
      "above k becomes k + (1 - k) t / (1 + t), where t is the excess over k divided by 1 - k. k is 0.8, or the colour's fraction",
      "before the edit if this fraction was greater.", "",
      "**Soft shoulder.** A value x above the knee k of a soft shoulder becomes k + (top - k) t (1 + t/m²) / (1 + t), where",
      "t = (x - k) / (top - k), and m is the value of t for the largest possible x. The largest possible x is therefore mapped to top.",
      "For exposure and white balance, the knee is half of top.", "",
      "**Hue ranges** are centred at \(Parameter.hueRanges.map { String(Int($0.degrees)) }.joined(separator: ", "))",
      "degrees in Oklab, and blend into one another with s as the transition curve. In grading, shadows have the",
      "weight 1 - s((L - 0.2) / 0.45), highlights have the weight s((L - 0.55) / 0.4), and midtones have the remaining weight, so",
      "that the sum is 1.",
      "",
      "**Sharpness, vignette and grain** work on coded values. Y is luma as an 8-bit value. A radius is the standard deviation of a",
      "Gaussian curve. m and V are the mean and the variance around a position. Sharpness does not change the mean brightness,",
      "and flat areas stay flat. If a radius is less than half a pixel, the picture has no detail of that size, and the effect",
      "fades. This is the case for sharpness in a movie with a width of less than 1000 pixels.", "",
      "A vignette follows the shape of the picture: d is 0 at the centre and 1 in the corners. The lines of equal d are ellipses.",
      "Red, green and blue change by the same fraction, so hues do not change, and grey stays grey.", "",
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
        + " steps of 0.001) lengthen the left edge and the top edge of the picture, respectively.",
      "- `straighten` (\(Int(Geometry.angles.lowerBound)) … \(Int(Geometry.angles.upperBound)) degrees, in steps of 0.01)"
        + " rotates clockwise.",
      "- A point p has the coordinates x and y, measured from the centre in units of half the picture's longer side. It moves to",
      "  R (p / (1 + \(Geometry.fullPerspective) (h x + v y))), where R is the rotation by the angle `straighten`.",
      "- The frame is the visible part: the largest upright rectangle with the picture's aspect ratio and without empty corners.",
      "- `crop` is a `rectangle` or an `aspect`. A `rectangle` consists of left, top, width and height, as fractions of the frame",
      "  in steps of 0.000001. The rectangle can extend beyond the frame if the picture covers the whole rectangle. An `aspect`",
      "  selects the largest upright rectangle with this aspect ratio and without empty corners. If several positions are",
      "  possible, the position nearest to the `anchor` is used.", "",
      "If the picture is rotated, all these values rotate with the picture.",
      "", "## Time and audio", "",
      "`motion` contains those of the following values that are not neutral:", "",
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
      "  These two groups of frames are cross-faded linearly in coded values. Playback begins at the frame with the least motion.",
      "  The photo's moment is the time at which the photo's frame is first shown.",
      "- `longExposure` changes only the photo. It uses the frames that are displaced from the photo's frame by at most 1/20 of",
      "  the longer side, aligns these frames with the photo's frame, and computes their mean in linear light. The photo shows",
      "  this mean at positions where luma, averaged over several pixels, varies from frame to frame by more than the noise plus",
      "  half of the luma gradient. There, the mean is multiplied by a factor: the light of the photo divided by the light of the",
      "  photo's frame, both measured in the surrounding area. The rest of the photo does not change. The photo's gain map is",
      "  removed.",
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
      "`local` contains a grid (`LocalGains`) of gains for lightness and chroma that depend on position and lightness. Its members",
      "are `columns`, `rows`, `levels` and `samples`. `samples` contains two signed bytes a and b for each node, encoded as Base64,",
      "in the order of levels, then columns, then rows. Only `adopt` creates `local`. After the look has been applied, luma above",
      "black and chroma are multiplied by 2^(a/64), and chroma is also multiplied by 1 + b/127. a and b are interpolated along all",
      "three axes. Positions refer to the photo before rotation and crop; in the movie, positions follow the camera.",
      "",
      "Adjustment data with `adopted` (format 1.5) belongs to a photo that another program edited. `edit` then describes the edit",
      "that was found in this photo, and is applied only to the movie.",
      "",
      "A look with `\"gamut\": \"p3\"` (format 1.7) comes from an edited photo that has colours outside sRGB although its original is an",
      "sRGB photo. With this look, an sRGB photo becomes a Display P3 photo, and colours that Display P3 can represent are not",
      "clipped. Movies, and photos with a wider colour space than sRGB, keep their colour space.",
      "",
      "## Facts",
      "",
      "`facts` (format 1.6) changes the metadata that describes the capture. It does not change pictures",
      "([Documentation/Facts.md](Documentation/Facts.md)).", "",
      "- `date` contains either `set` (the new clock time), or two shifts in seconds: `clock` for dates without a time zone, and",
      "  `instant` for dates with a time zone. If the time zone changes, `date` also contains `offset` (minutes from UTC) and",
      "  `zone`.",
      "- `place` contains `latitude`, `longitude` and `altitude`, or is empty if the location is removed.",
      "- `description` contains `title`, `caption` and `rating`. For `keywords` and `persons`, it contains the words that were",
      "  `added` and `removed`.",
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
