import Basics
import EditModel
import LiveEdit

/// The arguments of `crop`.
enum CropOptions: EditChange, Hashable {
  /// The crop is set; nil takes it back.
  case crop(Crop?)
  /// The crop is set to left, top, width and height in pixels.
  case pixels(SIMD4<Double>)

  /// The unit in which a rectangle is given.
  private enum Unit: String, CaseIterable {
    case pixel
    case percent
  }

  private static let aspect = OptionDeclaration(
    name: "aspect", type: .text, placeholder: "W:H",
    help: "the largest part of this shape, as in 4:3 or 1:1")
  private static let anchor = OptionDeclaration(
    name: "anchor", type: .word(Crop.Anchor.self), placeholder: "PLACE",
    standard: Crop.Anchor.center.rawValue,
    help:
      "where that part lies: \(Crop.Anchor.words.joined(separator: ", ")); \(Crop.Anchor.center.rawValue) unless given"
  )
  private static let rect = OptionDeclaration(
    name: "rect", type: .text, placeholder: "X,Y,W,H",
    help: "left edge, upper edge, width and height in the uncropped picture")
  private static let unit = OptionDeclaration(
    name: "unit", type: .word(Unit.self), placeholder: "UNIT", standard: Unit.pixel.rawValue,
    help:
      "what --rect counts: \(Unit.pixel.rawValue), of the photo (the default), or \(Unit.percent.rawValue)")
  private static let reset = OptionDeclaration(name: "reset", help: "take the crop back")

  /// The command `crop`.
  static let declaration = CommandDeclaration(
    editing: "crop", summary: "Crop Live Photos, photo and movie.",
    usage:
      "crop --aspect W:H [--anchor PLACE] | --rect X,Y,W,H [--unit \(Unit.words.joined(separator: "|"))] | --reset [options] FILE…",
    options: [aspect, anchor, rect, unit, reset],
    examples: ["crop --aspect 4:3 --anchor top IMG_0001.JPG", "crop --rect 0,0,1024,768 IMG_0001.JPG"]
  ) { arguments throws(UsageError) in try CropOptions(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments[Self.anchor] != nil, arguments[Self.aspect] == nil {
      throw UsageError(message: "--anchor needs --aspect")
    }
    if arguments[Self.unit] != nil, arguments[Self.rect] == nil {
      throw UsageError(message: "--unit needs --rect")
    }
    switch (arguments[Self.aspect], arguments[Self.rect], arguments.has(Self.reset)) {
    case (let text?, nil, false):
      self = .crop(.aspect(try Self.aspect(text), arguments.value(Self.anchor) ?? .center))
    case (nil, let text?, false):
      self = try Self.rectangle(text, isPercent: arguments.value(Self.unit) == Unit.percent)
    case (nil, nil, true): self = .crop(nil)
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

  private static func rectangle(_ text: String, isPercent: Bool) throws(UsageError) -> CropOptions {
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
