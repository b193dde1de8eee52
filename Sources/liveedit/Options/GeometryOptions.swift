import Basics
import EditModel
import LiveEdit

/// What `crop`, `straighten` and `perspective` ask for.
enum GeometryOptions: Hashable {
  /// The crop is set; nil takes it back.
  case crop(Crop?)
  /// The crop is set to left, top, width and height in pixels.
  case pixels(SIMD4<Double>)
  /// The angle is set.
  case straighten(Double)
  /// Perspectives are set; nil leaves one as it is.
  case perspective(horizontal: Double?, vertical: Double?)

  /// The commands.
  static let commands = [
    CommandSpecification(
      name: "crop", summary: "Crop Live Photos, photo and movie.",
      usage:
        "crop --aspect W:H [--anchor PLACE] | --rect X,Y,W,H [--unit pixel|percent] | --reset [options] FILE…",
      options: [
        OptionSpecification(
          name: "aspect", value: "W:H", help: "the largest part of this shape, as in 4:3 or 1:1"),
        OptionSpecification(
          name: "anchor", value: "PLACE", choices: Crop.Anchor.allCases.map(\.rawValue.dashed),
          help: "where that part lies: "
            + Crop.Anchor.allCases.map(\.rawValue.dashed).joined(separator: ", ") + "; center unless given"),
        OptionSpecification(
          name: "rect", value: "X,Y,W,H",
          help: "left edge, upper edge, width and height in the uncropped picture"),
        OptionSpecification(
          name: "unit", value: "UNIT", choices: ["pixel", "percent"],
          help: "what --rect counts: pixel, of the photo (the default), or percent"),
        OptionSpecification(name: "reset", help: "take the crop back"),
      ], command: EditCommand.self),
    CommandSpecification(
      name: "straighten", summary: "Straighten Live Photos, photo and movie.",
      usage: "straighten --degrees N | --reset [options] FILE…",
      options: [
        OptionSpecification(
          name: "degrees", value: "N",
          help: "how far to turn clockwise from the unstraightened picture, -45 to 45; sets it, does not add"),
        OptionSpecification(name: "reset", help: "take it back, as --degrees 0 does"),
      ], command: EditCommand.self),
    CommandSpecification(
      name: "perspective", summary: "Correct the perspective of Live Photos, photo and movie.",
      usage: "perspective [--horizontal N] [--vertical N] | --reset [options] FILE…",
      options: [
        OptionSpecification(
          name: "horizontal", value: "N", help: "-1 to 1; positive widens the left side, narrows the right"),
        OptionSpecification(
          name: "vertical", value: "N", help: "-1 to 1; positive widens the upper side, narrows the lower"),
        OptionSpecification(name: "reset", help: "take both back"),
      ], command: EditCommand.self),
  ]

  /// - Parameter arguments: of one of these commands.
  /// - Throws: ``UsageError`` when something is missing, too much, or impossible.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let isReset = arguments.options["reset"] != nil
    switch arguments.command {
    case "crop": self = try Self.crop(arguments, isReset: isReset)
    case "straighten":
      switch (arguments.options["degrees"], isReset) {
      case (let text?, false): self = .straighten(try Self.number(text, of: "degrees", in: Geometry.angles))
      case (nil, true): self = .straighten(0)
      default: throw UsageError(message: "straighten needs either --degrees, as in --degrees 2.5, or --reset")
      }
    default:
      let horizontal = try arguments.options["horizontal"].map { text throws(UsageError) in
        try Self.number(text, of: "horizontal", in: Geometry.perspectives)
      }
      let vertical = try arguments.options["vertical"].map { text throws(UsageError) in
        try Self.number(text, of: "vertical", in: Geometry.perspectives)
      }
      guard isReset == (horizontal == nil && vertical == nil) else {
        throw UsageError(message: "perspective needs --horizontal, --vertical or both, or else --reset")
      }
      self = .perspective(horizontal: isReset ? 0 : horizontal, vertical: isReset ? 0 : vertical)
    }
  }

  private static func number(
    _ text: String, of option: String, in range: ClosedRange<Double>
  ) throws(UsageError) -> Double {
    let value = try OptionNumber.value(text, of: option)
    guard range.contains(value) else {
      let (least, most) = (TextNumber.short(range.lowerBound), TextNumber.short(range.upperBound))
      throw UsageError(message: "--\(option) cannot be \(text); give a number from \(least) to \(most)")
    }
    return value
  }

  private static func crop(_ arguments: ParsedArguments, isReset: Bool) throws(UsageError) -> GeometryOptions
  {
    let options = arguments.options
    if options["anchor"] != nil, options["aspect"] == nil {
      throw UsageError(message: "--anchor needs --aspect")
    }
    if options["unit"] != nil, options["rect"] == nil { throw UsageError(message: "--unit needs --rect") }
    switch (options["aspect"], options["rect"], isReset) {
    case (let text?, nil, false):
      let anchor = options["anchor"].flatMap { name in
        Crop.Anchor.allCases.first { $0.rawValue.dashed == name }
      }
      return .crop(.aspect(try aspect(text), anchor ?? .center))
    case (nil, let text?, false): return try rectangle(text, isPercent: options["unit"] == "percent")
    case (nil, nil, true): return .crop(nil)
    default: throw UsageError(message: "crop needs one of --aspect, --rect and --reset")
    }
  }

  private static func aspect(_ text: String) throws(UsageError) -> Crop.AspectRatio {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = sides.compactMap { $0.utf8.count <= 10 ? Double($0) : nil }
    guard sides.count == 2, numbers.count == 2, numbers.allSatisfy({ 0 < $0 && $0 <= 10_000 }) else {
      throw UsageError(message: "--aspect takes width and height, as in 4:3, not “\(text)”")
    }
    // Ratios such as 1.85:1 in hundredths.
    let isWhole = numbers.allSatisfy { $0 == $0.rounded() }
    let shares = numbers.map { Int(($0 * (isWhole ? 1 : 100)).rounded()) }
    do throws(EditError) {
      return try Crop.AspectRatio(width: shares[0], height: shares[1])
    } catch {
      throw UsageError(message: "--aspect cannot be \(text)" + (error.remedy.map { "; " + $0 } ?? ""))
    }
  }

  private static func rectangle(_ text: String, isPercent: Bool) throws(UsageError) -> GeometryOptions {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let sides = parts.compactMap { $0.utf8.count <= 40 ? Double($0) : nil }.filter(\.isFinite)
    guard parts.count == 4, sides.count == 4 else {
      throw UsageError(
        message: "--rect takes left, top, width and height, as in 0,0,1024,768, not “\(text)”")
    }
    guard sides[0] >= 0, sides[1] >= 0, sides[2] > 0, sides[3] > 0 else {
      throw UsageError(message: "--rect \(text) is empty or begins outside of the picture")
    }
    guard isPercent else { return .pixels(SIMD4(sides[0], sides[1], sides[2], sides[3])) }
    let edges = [sides[0], sides[1], sides[0] + sides[2], sides[1] + sides[3]]
    guard edges.allSatisfy({ $0 <= 100 }) else {
      throw UsageError(message: "--rect \(text) reaches beyond the picture, which ends at 100 percent")
    }
    let whole = edges.map { Int(($0 * 10_000).rounded()) }
    do throws(EditError) {
      return .crop(
        .rectangle(
          try Crop.Rectangle(
            left: whole[0], top: whole[1], width: whole[2] - whole[0], height: whole[3] - whole[1])))
    } catch {
      throw UsageError(message: "--rect: \(error)")
    }
  }

  /// An edit with this set.
  func applied(to edit: Edit, of source: EditSource) throws(EditError) -> Edit {
    var edit = edit
    switch self {
    case .crop(let crop): edit.geometry.crop = crop
    case .pixels(let sides): edit.geometry.crop = .rectangle(try source.rectangle(sides, in: edit))
    case .straighten(let degrees): edit.geometry.straighten = degrees
    case .perspective(let horizontal, let vertical):
      if let horizontal { edit.geometry.horizontalPerspective = horizontal }
      if let vertical { edit.geometry.verticalPerspective = vertical }
    }
    return edit
  }
}
