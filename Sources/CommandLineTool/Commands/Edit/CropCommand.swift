import Basics
import EditModel
import Workflows

/// The command `crop`.
enum CropCommand: EditChange, Hashable {
  /// Sets the crop, or removes it if the value is nil.
  case crop(Crop?)
  /// Sets the crop to a rectangle. The values are left, top, width and height, in pixels.
  case pixels(SIMD4<Double>)

  /// The unit of a rectangle's values.
  private enum Unit: String, CaseIterable {
    case pixel
    case percent
  }

  private static let aspect = OptionDeclaration(
    name: "aspect", type: .text, placeholder: "W:H", synonyms: ["ratio", "aspect-ratio", "shape"],
    proposal: .words(["1:1", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16"]),
    help: "keep the largest area with this aspect ratio, such as 4:3 or 1:1")
  private static let anchor = OptionDeclaration(
    name: "anchor", type: .word(Crop.Anchor.self), placeholder: "PLACE",
    standard: Crop.Anchor.center.rawValue, synonyms: ["gravity", "position", "align"],
    synonymsOfValues: ["middle": "center", "up": "top", "down": "bottom"],
    help:
      "position of the --aspect area: \(Crop.Anchor.words.joined(separator: ", ")) (default: \(Crop.Anchor.center.rawValue))"
  )
  private static let rect = OptionDeclaration(
    name: "rect", type: .text, placeholder: "X,Y,W,H",
    synonyms: ["rectangle", "area", "box", "region", "geometry"],
    help: "left, top, width and height in the picture with its current rotation and no crop")
  private static let unit = OptionDeclaration(
    name: "unit", type: .word(Unit.self), placeholder: "UNIT", standard: Unit.pixel.rawValue,
    synonymsOfValues: ["px": "pixel", "pixels": "pixel", "%": "percent"],
    help:
      "unit of --rect: \(Unit.pixel.rawValue) (of the photo; default) or \(Unit.percent.rawValue)")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear"], help: "remove the crop")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "crop", summary: "Crop to a rectangle or an aspect ratio.",
    about: """
      A new crop replaces the earlier crop.
      """,
    forms: [.init(options: [aspect]), .init(options: [rect]), .init(options: [reset])],
    options: [aspect, anchor, rect, unit, reset], synonyms: ["cut", "resize"],
    related: ["straighten", "perspective"],
    examples: [
      .init(
        "crop --aspect 4:3 --anchor top IMG_0001.JPG", "Keeps the uppermost area with the aspect ratio 4:3."),
      .init("crop --rect 10,10,80,80 --unit percent IMG_0001.JPG", "Cuts 10 percent off each side."),
    ]
  ) { arguments throws(UsageError) in try CropCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments[Self.anchor] != nil, arguments[Self.aspect] == nil {
      throw UsageError(message: "--anchor needs --aspect, for example --aspect 4:3 --anchor top")
    }
    if arguments[Self.unit] != nil, arguments[Self.rect] == nil {
      throw UsageError(message: "--unit needs --rect, for example --rect 10,10,80,80 --unit percent")
    }
    switch (arguments[Self.aspect], arguments[Self.rect], arguments.has(Self.reset)) {
    case (let text?, nil, false):
      self = .crop(.aspect(try Self.aspect(text), arguments.value(Self.anchor) ?? .center))
    case (nil, let text?, false):
      self = try Self.rectangle(text, isPercent: arguments.value(Self.unit) == Unit.percent)
    case (nil, nil, true): self = .crop(nil)
    default: throw UsageError(message: "crop needs --aspect, --rect or --reset, for example --aspect 4:3")
    }
  }

  private static func aspect(_ text: String) throws(UsageError) -> Crop.AspectRatio {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = sides.compactMap { $0.utf8.count <= 10 ? Double($0) : nil }
    guard sides.count == 2, numbers.count == 2, numbers.allSatisfy({ 0 < $0 && $0 <= 10_000 }) else {
      throw UsageError(message: "--aspect needs width and height, such as 4:3, not “\(text)”")
    }
    // Ratios such as 1.85:1 are stored in hundredths.
    let isWhole = numbers.allSatisfy { $0 == $0.rounded() }
    let shares = numbers.map { Int(($0 * (isWhole ? 1 : 100)).rounded()) }
    do throws(EditError) {
      return try Crop.AspectRatio(width: shares[0], height: shares[1])
    } catch {
      throw UsageError(message: error.refusing("--aspect", text))
    }
  }

  private static func rectangle(_ text: String, isPercent: Bool) throws(UsageError) -> CropCommand {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let sides = parts.compactMap { $0.utf8.count <= 40 ? Double($0) : nil }.filter(\.isFinite)
    guard parts.count == 4, sides.count == 4 else {
      throw UsageError(
        message: "--rect needs left, top, width and height, such as 0,0,1024,768, not “\(text)”")
    }
    guard sides[0] >= 0, sides[1] >= 0, sides[2] > 0, sides[3] > 0 else {
      throw UsageError(
        message: "--rect \(text) is empty or begins outside the picture; give left, top, width and height")
    }
    guard isPercent else { return .pixels(SIMD4(sides[0], sides[1], sides[2], sides[3])) }
    let edges = [sides[0], sides[1], sides[0] + sides[2], sides[1] + sides[3]]
    guard edges.allSatisfy({ $0 <= 100 }) else {
      throw UsageError(
        message:
          "--rect \(text) extends beyond the picture; left plus width, and top plus height, can be 100 percent at most"
      )
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

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { edit, source throws(EditError) in
      var edit = edit
      switch self {
      case .crop(let crop): edit.geometry.crop = crop
      case .pixels(let sides): edit.geometry.crop = .rectangle(try source.rectangle(sides, in: edit))
      }
      return edit
    }
  }
}
