public import Basics
public import EditModel
import FoundationEssentials

extension Edit {
  /// The edit in words: “rotated by 90°, exposure +0.5, look film”.
  public var words: Message {
    var words: [Message] = []
    if orientation != .identity { words.append(orientation.editWords) }
    words += geometry.words
    for parameter in adjustments.changed { words.append(parameter.words(self[parameter])) }
    if curve != .neutral { words.append("curve with \(curve.points.count) points") }
    if let look { words.append(look.words) }
    if local != nil { words.append("local changes to lightness and chroma") }
    words += motion.words
    words += facts.words
    return words.isEmpty ? "no changes" : words.joined(separator: ", ")
  }
}

extension AdjustmentInspection {
  /// The edit in words if liveedit made it, or nil for another program's data.
  public var words: Message? {
    guard reading == .own else { return nil }
    guard let stored = content["edit"] else { return Edit.identity.words }
    guard let json = try? JSONEncoder().encode(stored) else { return nil }
    return (try? JSONText.decode(Edit.self, from: json))?.words
  }
}

extension Orientation {
  fileprivate var editWords: Message {
    switch self {
    case .identity: "no changes"
    case .flippedHorizontally: "mirrored left to right"
    case .down: "rotated by 180°"
    case .flippedVertically: "mirrored top to bottom"
    case .right: "rotated by 90°"
    case .left: "rotated by 270°"
    case .leftMirrored: "mirrored left to right, then rotated by 270°"
    default: "mirrored left to right, then rotated by 90°"
    }
  }
}

extension Geometry {
  /// The geometry in words, with the crop last: “straightened by +2.5°”, “cropped to 4:3 at the top”.
  fileprivate var words: [Message] {
    func signed(_ value: Double) -> Message {
      let number = JSONValue.decimal(Int((abs(value) * 1000).rounded()), digits: 3).canonicalText
      return "\(decimal: (value < 0 ? "−" : "+") + number)"
    }
    var words: [Message] = []
    if horizontalPerspective != 0 { words.append("horizontal perspective \(signed(horizontalPerspective))") }
    if verticalPerspective != 0 { words.append("vertical perspective \(signed(verticalPerspective))") }
    if straighten != 0 { words.append("straightened by \(signed(straighten))°") }
    switch crop {
    case .aspect(let ratio, let anchor)?:
      words.append(anchor.words("\(ratio.width):\(ratio.height)"))
    case .rectangle(let rectangle)?:
      func percent(_ part: Int) -> Message {
        let number = JSONValue.decimal((abs(part) + 50) / 100, digits: 2).canonicalText
        return "\(decimal: (part < 0 ? "−" : "") + number)%"
      }
      words.append(
        "cropped to \(percent(rectangle.width)) x \(percent(rectangle.height)) at \(percent(rectangle.left)), "
          + "\(percent(rectangle.top))")
    case nil: break
    }
    return words
  }
}

extension Crop.Anchor {
  /// Describes a crop to an aspect ratio at the anchor.
  fileprivate func words(_ ratio: String) -> Message {
    switch self {
    case .center: "cropped to \(ratio)"
    case .top: "cropped to \(ratio) at the top"
    case .bottom: "cropped to \(ratio) at the bottom"
    case .left: "cropped to \(ratio) at the left"
    case .right: "cropped to \(ratio) at the right"
    case .topLeft: "cropped to \(ratio) at the top left"
    case .topRight: "cropped to \(ratio) at the top right"
    case .bottomLeft: "cropped to \(ratio) at the bottom left"
    case .bottomRight: "cropped to \(ratio) at the bottom right"
    }
  }
}

extension Motion {
  /// The time and audio settings in words: “trimmed to 0.4 s – 2.1 s”, “audio at 50%”.
  fileprivate var words: [Message] {
    func seconds(_ millionths: Int) -> Message {
      "\(decimal: JSONValue.decimal(millionths, digits: 6).canonicalText) s"
    }
    var words: [Message] = []
    if let trim { words.append("trimmed to \(seconds(trim.start)) – \(seconds(trim.end))") }
    if let keyPhoto { words.append("key photo at \(seconds(keyPhoto))") }
    switch effect {
    case .none: break
    case .loop: words.append("loop effect")
    case .bounce: words.append("bounce effect")
    case .longExposure: words.append("long-exposure effect")
    }
    if volume == 0 {
      words.append("audio muted")
    } else if volume != 100 {
      words.append("audio at \(volume)%")
    }
    if isLiveOff { words.append("photo only (Live off)") }
    return words
  }
}

extension String {
  /// Splits an identifier into lower-case words: `topLeft` becomes “top left” or “top-left”.
  package func words(joinedBy joint: String) -> String {
    unicodeScalars.reduce(into: "") { words, letter in
      words += "A"..."Z" ~= letter ? joint + String(letter).lowercased() : String(letter)
    }
  }
}

extension Parameter {
  /// Describes the parameter with a value: “black point −0.2”. Values that can be positive or negative have a sign.
  fileprivate func words(_ value: Double) -> Message {
    let number = text(value)
    if number.hasPrefix("-") { return "\(name) \(decimal: "−" + number.dropFirst())" }
    return "\(name) \(decimal: (description.range.lowerBound < 0 ? "+" : "") + number)"
  }
}

extension Look {
  fileprivate var words: Message {
    let title: Message =
      switch source {
      case .builtIn(let look): "look \(look.rawValue)"
      case .table(let table): table.title.isEmpty ? "look from a .cube file" : "look “\(table.title)”"
      }
    return hundredths == 100 ? title : "\(title) at \(hundredths)%"
  }
}
