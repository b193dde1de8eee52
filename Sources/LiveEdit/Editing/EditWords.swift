public import EditModel
import FoundationEssentials

extension Edit {
  /// The edit in words: “turned by 90°, exposure +0.5, look film”.
  public var words: String {
    var words: [String] = []
    if orientation != .identity { words.append(orientation.editWords) }
    words += geometry.words
    for parameter in adjustments.changed { words.append(parameter.words(self[parameter])) }
    if curve != .neutral { words.append("curve of \(curve.points.count) points") }
    if let look { words.append(look.words) }
    if local != nil { words.append("single places lighter, darker or of other chroma") }
    words += motion.words
    words += facts.words
    return words.isEmpty ? "as the base" : words.joined(separator: ", ")
  }
}

extension AdjustmentInspection {
  /// liveedit's own edit in words; nil for data of other programs.
  public var words: String? {
    guard reading == .own else { return nil }
    guard let stored = content["edit"] else { return Edit.identity.words }
    guard let json = try? JSONEncoder().encode(stored) else { return nil }
    return (try? JSONDecoder().decode(Edit.self, from: json))?.words
  }
}

extension Orientation {
  fileprivate var editWords: String {
    switch self {
    case .identity: "as the base"
    case .flippedHorizontally: "mirrored left to right"
    case .down: "turned by 180°"
    case .flippedVertically: "mirrored top to bottom"
    case .right: "turned by 90°"
    case .left: "turned by 270°"
    case .leftMirrored: "mirrored left to right, then turned by 270°"
    default: "mirrored left to right, then turned by 90°"
    }
  }
}

extension Geometry {
  /// The geometry in words, the crop last: “straightened by +2.5°”, “cropped to 4:3 at the top”.
  fileprivate var words: [String] {
    func number(_ value: Double) -> String {
      CanonicalJSON.decimal(Int((abs(value) * 1000).rounded()), digits: 3).text
    }
    func signed(_ value: Double) -> String { (value < 0 ? "−" : "+") + number(value) }
    var words: [String] = []
    if horizontalPerspective != 0 { words.append("horizontal perspective \(signed(horizontalPerspective))") }
    if verticalPerspective != 0 { words.append("vertical perspective \(signed(verticalPerspective))") }
    if straighten != 0 { words.append("straightened by \(signed(straighten))°") }
    switch crop {
    case .aspect(let ratio, let anchor)?:
      let place = anchor == .center ? "" : " at the \(anchor.rawValue.words(joinedBy: " "))"
      words.append("cropped to \(ratio.width):\(ratio.height)" + place)
    case .rectangle(let rectangle)?:
      func percent(_ part: Int) -> String {
        (part < 0 ? "−" : "") + CanonicalJSON.decimal((abs(part) + 50) / 100, digits: 2).text + " %"
      }
      words.append(
        "cropped to \(percent(rectangle.width)) x \(percent(rectangle.height)) at \(percent(rectangle.left)),"
          + " \(percent(rectangle.top))")
    case nil: break
    }
    return words
  }
}

extension Motion {
  /// Time and sound in words: “trimmed to 0.4 s – 2.1 s”, “sound at 50 %”.
  fileprivate var words: [String] {
    func seconds(_ millionths: Int) -> String { CanonicalJSON.decimal(millionths, digits: 6).text + " s" }
    var words: [String] = []
    if let trim { words.append("trimmed to \(seconds(trim.start)) – \(seconds(trim.end))") }
    if let keyPhoto { words.append("key photo at \(seconds(keyPhoto))") }
    if effect != .none { words.append("effect \(effect.rawValue.words(joinedBy: " "))") }
    if volume == 0 {
      words.append("without sound")
    } else if volume != 100 {
      words.append("sound at \(volume) %")
    }
    if isLiveOff { words.append("photo alone (Live off)") }
    return words
  }
}

extension String {
  /// The words of a name in code, in lower case: `topLeft` as “top left” or “top-left”.
  package func words(joinedBy joint: String) -> String {
    unicodeScalars.reduce(into: "") { words, letter in
      words += "A"..."Z" ~= letter ? joint + String(letter).lowercased() : String(letter)
    }
  }
}

extension Parameter {
  /// The parameter with a value: “black point −0.2”. Values that can go both ways have a sign.
  fileprivate func words(_ value: Double) -> String {
    let steps = (abs(value) * (description.digits == 3 ? 1000 : 100)).rounded()
    let number = CanonicalJSON.decimal(Int(steps), digits: description.digits).text
    let sign = value < 0 ? "−" : description.range.lowerBound < 0 ? "+" : ""
    return "\(rawValue.words(joinedBy: " ")) \(sign)\(number)"
  }
}

extension Look {
  fileprivate var words: String {
    let share = hundredths == 100 ? "" : " at \(hundredths) %"
    switch source {
    case .builtIn(let look): return "look \(look.rawValue)" + share
    case .table(let table):
      return (table.title.isEmpty ? "look of a .cube file" : "look “\(table.title)”") + share
    }
  }
}
