public import Basics
import EditModel
import FileSystem
import Glibc
import LivePhotoFormat

/// A pattern for the names of exported files. It consists of text, fields in braces, and slashes between folders.
///
///     let name = try ExportName("{date:%Y-%m}/{stem}-{camera}")
public struct ExportName: Hashable, Sendable {
  /// A property of an asset that a name can include.
  public enum Field: String, CaseIterable, Hashable, Sendable {
    /// The local date and time of capture.
    case date
    /// The original's name without its extension.
    case stem
    /// The camera's manufacturer and model.
    case camera
    /// The camera's manufacturer.
    case make
    /// The camera's model.
    case model
    /// The kind of asset: live, photo or movie.
    case kind
    /// The version number, or the word “original” for the original.
    case version
  }

  /// The property values of one asset.
  struct Values {
    var stem = ""
    var facts: CaptureFacts?
    var kind = AssetKind.photo
    var version = 0
  }

  /// The subfolder and name of the new files.
  struct Place: Hashable {
    /// The subfolders, separated by slashes; empty if the name contains no subfolders.
    var folder: String
    /// The name without an extension.
    var stem: String
    /// The fields whose values are unknown.
    var missing: [Field]
  }

  private enum Part: Hashable {
    case text(String)
    case field(Field, format: String?)
  }

  /// The text that replaces an unknown value.
  private static let unknown = "unknown"
  private let parts: [Part]

  /// Parses a pattern.
  ///
  /// - Parameter pattern: Text with `{stem}`, `{date}`, `{date:FORMAT}` and other fields. FORMAT is a `strftime`
  ///   format. Each slash, including one in a date format, starts a new folder level.
  /// - Throws: ``Basics/EditError`` if a field is unknown, if a brace is not closed, or if the path leaves the folder
  ///   or contains a hidden name.
  public init(_ pattern: String) throws(EditError) {
    func refused(_ problem: Message, _ remedy: Message) -> EditError {
      EditError(.unsupported, "the name pattern “\(pattern)” \(problem)", remedy: remedy)
    }
    var parts: [Part] = []
    var rest = Substring(pattern)
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        throw refused("has an unmatched brace", "write fields in braces, such as {stem}")
      }
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      let inner = rest[rest.index(after: open)..<close]
      let colon = inner.firstIndex(of: ":") ?? inner.endIndex
      guard let field = Field(rawValue: String(inner[..<colon])) else {
        throw refused(
          "has an unknown field: {\(inner[..<colon])}",
          "the fields are \(Field.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      let format = colon < inner.endIndex ? String(inner[inner.index(after: colon)...]) : nil
      guard format == nil || field == .date else {
        throw refused(
          "has a format for {\(field.rawValue)}", "only {date} accepts a format, such as {date:%Y-%m}")
      }
      guard format != "" else {
        throw refused("has an empty format", "write {date} or add a format, such as {date:%Y-%m}")
      }
      parts.append(.field(field, format: format))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
    // The check replaces every field with an ordinary letter.
    let names = parts.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
      .split(separator: "/", omittingEmptySubsequences: false)
    guard names.allSatisfy({ FileName.isPlain($0) && !$0.hasPrefix(".") }) else {
      throw refused(
        "is empty, hidden or outside the folder",
        "do not start a name with a dot, and use slashes only between names")
    }
  }

  /// Returns the subfolder and name for an asset's files.
  func place(_ values: Values) -> Place {
    var text = ""
    var missing: [Field] = []
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .field(let field, let format):
        var value = Self.value(field, format, values)
        // A slash in the pattern separates folders, but a slash in a file's metadata does not.
        if field != .date { value = Self.plain(value).replacing("/", with: "-") }
        if value.isEmpty, !missing.contains(field) { missing.append(field) }
        text += value.isEmpty ? Self.unknown : value
      }
    }
    var names = text.split(separator: "/").map { Self.name(String($0)) }
    let stem = names.popLast() ?? Self.unknown
    return Place(folder: names.joined(separator: "/"), stem: stem, missing: missing)
  }

  private static func value(_ field: Field, _ format: String?, _ values: Values) -> String {
    switch field {
    case .date: values.facts?.created.map { date($0, format ?? "%Y-%m-%d") } ?? ""
    case .stem: values.stem
    case .camera: values.facts?.camera ?? ""
    case .make: values.facts?.make ?? ""
    case .model: values.facts?.model ?? ""
    case .kind: values.kind.rawValue
    case .version: values.version == 0 ? "original" : String(values.version)
    }
  }

  private static func date(_ date: CaptureDate, _ format: String) -> String {
    var moment = tm()
    var seconds = time_t((Double(date.wallClock) / 1000).rounded(.down))
    guard gmtime_r(&seconds, &moment) != nil else { return "" }
    moment.tm_gmtoff = (date.offset ?? 0) * 60
    var buffer = [CChar](repeating: 0, count: 256)
    let count = strftime(&buffer, buffer.count, format, &moment)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes control and format characters, and replaces characters that Windows does not allow in names.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: continue
      default: plain.unicodeScalars.append("\\:*?\"<>|".unicodeScalars.contains(scalar) ? "-" : scalar)
      }
    }
    return trimmed(plain)
  }

  /// Returns a valid name that is not hidden.
  private static func name(_ text: String) -> String {
    var name = trimmed(plain(text))
    while name.hasSuffix(".") { name.removeLast() }
    if name.hasPrefix(".") { name = "_" + name.dropFirst() }
    return name.isEmpty ? unknown : name
  }

  private static func trimmed(_ text: String) -> String {
    let text = text.drop { $0.isWhitespace }
    return String(
      text[..<(text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex)])
  }
}

extension CaptureFacts {
  /// The camera's manufacturer and model. The manufacturer is not repeated if the model begins with it.
  fileprivate var camera: String? {
    guard let model else { return make }
    guard let make, !model.hasPrefix(make) else { return model }
    return make + " " + model
  }
}
