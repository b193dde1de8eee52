import Basics
import FoundationEssentials

/// The content of an `.AAE` sidecar: a property list that contains adjustment data under Apple's keys.
package struct AdjustmentFile: Hashable, Sendable {
  /// The adjustment data of the edit.
  package var adjustment: AdjustmentData
  /// The bundle identifier of the program that made the edit; empty if the sidecar does not contain one.
  package var editor: String
  /// The SHA-256 (64 lower-case hexadecimal digits) of each rendered half as liveedit wrote it. The hashes reveal
  /// whether another program has changed a rendered file. The hashes are stored under liveedit's own key, next to
  /// Apple's keys. The value is empty for sidecars from other programs.
  package var rendered: Rendered
  /// The time of the edit, in seconds since 1970; nil if the sidecar does not contain it.
  package var time: Int?

  /// The hashes of the rendered halves.
  package struct Rendered: Codable, Hashable, Sendable {
    /// The hash of the rendered photo; nil if the asset has no photo.
    package var photo: String?
    /// The hash of the rendered movie; nil if the asset has no movie.
    package var movie: String?

    /// - Parameters:
    ///   - photo: The hash of the rendered photo.
    ///   - movie: The hash of the rendered movie.
    package init(photo: String? = nil, movie: String? = nil) {
      self.photo = photo
      self.movie = movie
    }
  }

  /// The bundle identifier that liveedit writes as the editor.
  package static let ownEditor = "org.liveedit"

  /// Returns the sidecar for a rendered file without any other record. The sidecar states that an edit exists, but does
  /// not describe the edit.
  ///
  /// - Parameter time: The time of the edit, in seconds since 1970; nil if the time is not known.
  package static func unknownRender(time: Int?) -> AdjustmentFile {
    AdjustmentFile(
      adjustment: AdjustmentData(
        formatIdentifier: "org.liveedit.render", formatVersion: "1.0", data: Data("{}".utf8)),
      time: time)
  }

  /// - Parameters:
  ///   - adjustment: The adjustment data of the edit.
  ///   - editor: The bundle identifier of the program that made the edit.
  ///   - rendered: The hashes of the rendered halves.
  ///   - time: The time of the edit, in seconds since 1970; nil if the time is not known.
  package init(
    adjustment: AdjustmentData, editor: String = ownEditor, rendered: Rendered = Rendered(), time: Int? = nil
  ) {
    self.adjustment = adjustment
    self.editor = editor
    self.rendered = rendered
    self.time = time.flatMap { CivilDate(secondsSince1970: $0) == nil ? nil : $0 }
  }

  /// Reads an XML or binary property list.
  ///
  /// - Parameter bytes: The content of the sidecar.
  /// - Returns: nil if the bytes are not a property list with Apple's adjustment keys.
  package init?(bytes: [UInt8]) {
    guard let list = JSONValue(propertyList: bytes) else { return nil }
    self.init(list)
  }

  /// Reads the fields of a property list.
  ///
  /// - Returns: nil if the list does not contain Apple's adjustment keys.
  init?(_ list: JSONValue) {
    guard case .data(let data)? = list["adjustmentData"],
      let format = list["adjustmentFormatIdentifier"]?.text,
      let version = list["adjustmentFormatVersion"]?.text
    else { return nil }
    let rendered = list["liveeditRenderedSHA256"]
    var time: Int?
    if case .date(let date)? = list["adjustmentTimestamp"] {
      time = Int(exactly: date.timeIntervalSince1970.rounded(.down))
    }
    self.init(
      adjustment: AdjustmentData(formatIdentifier: format, formatVersion: version, data: Data(data)),
      editor: list["adjustmentEditorBundleID"]?.text ?? "",
      rendered: Rendered(photo: rendered?["photo"]?.text, movie: rendered?["movie"]?.text), time: time)
  }

  /// The content of the sidecar as an XML property list.
  package var bytes: [UInt8] {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
        + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#,
      "<dict>",
      "\t<key>adjustmentBaseVersion</key>",
      "\t<integer>0</integer>",
      "\t<key>adjustmentData</key>",
      "\t<data>" + adjustment.data.base64EncodedString() + "</data>",
      "\t<key>adjustmentEditorBundleID</key>",
      "\t<string>" + Self.escaped(editor) + "</string>",
      "\t<key>adjustmentFormatIdentifier</key>",
      "\t<string>" + Self.escaped(adjustment.formatIdentifier) + "</string>",
      "\t<key>adjustmentFormatVersion</key>",
      "\t<string>" + Self.escaped(adjustment.formatVersion) + "</string>",
      "\t<key>adjustmentRenderTypes</key>",
      "\t<integer>0</integer>",
    ]
    if let date = time.flatMap(CivilDate.init(secondsSince1970:)) {
      lines += ["\t<key>adjustmentTimestamp</key>", "\t<date>" + date.text + "Z</date>"]
    }
    if rendered != Rendered() {
      lines += ["\t<key>liveeditRenderedSHA256</key>", "\t<dict>"]
      for (key, hash) in [("movie", rendered.movie), ("photo", rendered.photo)] {
        guard let hash else { continue }
        lines += ["\t\t<key>" + key + "</key>", "\t\t<string>" + Self.escaped(hash) + "</string>"]
      }
      lines.append("\t</dict>")
    }
    lines += ["</dict>", "</plist>", ""]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
