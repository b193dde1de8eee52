import Basics

/// The content of an `.AAE` sidecar for display: the program that wrote the sidecar, and the program's edit if its
/// format is supported.
package struct AdjustmentInspection: Encodable, Hashable, Sendable {
  /// The result of reading adjustment data.
  package enum Reading: String, Encodable, Sendable {
    /// The data is liveedit's own, and the edit can be resumed.
    case own
    /// The data contains Apple's photo adjustments or slow motion. liveedit displays these adjustments but does not
    /// render them.
    case shown
    /// The data's format is unknown.
    case opaque
    /// The data's format is known, but the data is not valid.
    case damaged
  }

  /// A single adjustment in adjustment data.
  package struct Adjustment: Encodable, Hashable, Sendable {
    /// The kind of the adjustment: `Crop`, `SmartTone`, …
    package let identifier: String
    /// Whether the adjustment is switched on.
    package let isEnabled: Bool
    /// The parameters of the adjustment.
    package let settings: JSONValue
    /// The values that were chosen automatically; nil if no values were chosen automatically.
    package let auto: JSONValue?
  }

  /// The program that wrote the sidecar; empty if the sidecar does not name it.
  package let editor: String
  /// The format of the adjustment data.
  package let formatIdentifier: String
  /// The version of the format.
  package let formatVersion: String
  /// The version of the photo that the adjustment data applies to; 0 is the original.
  package let baseVersion: Int?
  /// Apple's `adjustmentRenderTypes`: a bit mask that describes what the edit renders.
  package let renderTypes: Int?
  /// The time of the edit, in ISO 8601 format.
  package let timestamp: JSONValue?
  /// The size of the adjustment data in bytes.
  package let dataSize: Int
  /// The result of reading the data.
  package let reading: Reading
  /// The adjustments, in the order of the sidecar.
  package let adjustments: [Adjustment]
  /// The complete decoded data. If the format is unknown, these are the raw bytes.
  package let content: JSONValue

  /// The maximum size of decompressed adjustment data in bytes. Real data is never larger, although painted masks can
  /// occupy several megabytes.
  private static let largestContent = 16 << 20

  /// The name of Apple's format for adjustments of photos and Live Photos.
  static let photoFormat = "com.apple.photo"
  /// The name of Apple's format for slow motion.
  static let slowMotionFormat = "com.apple.video.slomo"

  /// Reads an `.AAE` sidecar.
  ///
  /// - Parameter bytes: The content of the sidecar.
  /// - Returns: nil if the bytes are not a property list with Apple's adjustment keys.
  package init?(bytes: [UInt8]) {
    guard let list = JSONValue(propertyList: bytes), let file = AdjustmentFile(list) else { return nil }
    let adjustment = file.adjustment
    editor = file.editor
    formatIdentifier = adjustment.formatIdentifier
    formatVersion = adjustment.formatVersion
    func integer(_ name: String) -> Int? {
      if case .integer(let number)? = list[name] { number } else { nil }
    }
    baseVersion = integer("adjustmentBaseVersion")
    renderTypes = integer("adjustmentRenderTypes")
    timestamp = list["adjustmentTimestamp"]
    dataSize = adjustment.data.count
    let decoded = Self.decode(adjustment)
    reading = decoded.reading
    content = decoded.content ?? .data(Array(adjustment.data))
    adjustments = Self.adjustments(in: content, isOwn: decoded.reading == .own)
  }

  /// Decodes adjustment data in the known formats.
  static func decode(
    _ adjustment: AdjustmentData
  ) -> (reading: Reading, content: JSONValue?) {
    let data = Array(adjustment.data)
    switch adjustment.formatIdentifier {
    case AdjustmentData.ownFormatIdentifier:
      let content = JSONValue(json: data)
      return (adjustment.canHandle ? .own : content == nil ? .damaged : .shown, content)
    case photoFormat:
      let content = Deflate.inflated(data, limit: largestContent).flatMap {
        JSONValue(json: $0)
      }
      return (content == nil ? .damaged : .shown, content)
    case slowMotionFormat:
      let content = JSONValue(propertyList: data)
      return (content == nil ? .damaged : .shown, content)
    default:
      return (.opaque, nil)
    }
  }

  /// Returns the adjustments in decoded data. Apple's photo format is a list of adjustments with identifiers. In
  /// liveedit's format and in Apple's slow-motion format, the adjustments are the members of an object.
  static func adjustments(in content: JSONValue, isOwn: Bool) -> [Adjustment] {
    if case .array(let list)? = content["adjustments"] {
      return list.map { entry in
        Adjustment(
          identifier: entry["identifier"]?.text ?? "?", isEnabled: entry["enabled"] != .boolean(false),
          settings: entry["settings"] ?? .null, auto: entry["auto"])
      }
    }
    guard case .object(let parts) = isOwn ? content["edit"] ?? .null : content else { return [] }
    return parts.sorted { $0.key < $1.key }.map {
      Adjustment(identifier: $0.key, isEnabled: true, settings: $0.value, auto: nil)
    }
  }
}
