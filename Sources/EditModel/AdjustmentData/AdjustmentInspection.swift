import Basics

/// The content of an `.AAE` file, for display: whoever wrote it, and its edit as far as its format is known.
package struct AdjustmentInspection: Encodable, Hashable, Sendable {
  /// The extent to which adjustment data could be read.
  package enum Reading: String, Encodable, Sendable {
    /// liveedit's own edit, which can be taken up again.
    case own
    /// Apple's photo adjustments, or slow motion: shown, but not rendered by liveedit.
    case shown
    /// A format that is not known.
    case opaque
    /// A format that is known, and data that does not follow it.
    case damaged
  }

  /// One adjustment.
  package struct Adjustment: Encodable, Hashable, Sendable {
    /// Its kind: `Crop`, `SmartTone`, …
    package let identifier: String
    /// True if it is switched on.
    package let isEnabled: Bool
    /// Its parameters.
    package let settings: JSONValue
    /// The values that were chosen automatically; nil when none were.
    package let auto: JSONValue?
  }

  /// The program that wrote it; empty when the file names none.
  package let editor: String
  /// The format of its data.
  package let formatIdentifier: String
  /// The version of the format.
  package let formatVersion: String
  /// The version of the photo that it belongs to: 0 is the original.
  package let baseVersion: Int?
  /// A bit mask of what the edit renders.
  package let renderTypes: Int?
  /// Time of the edit, ISO 8601.
  package let timestamp: JSONValue?
  /// Bytes of the adjustment data.
  package let dataSize: Int
  /// The extent to which the data could be read.
  package let reading: Reading
  /// Its adjustments, in the order of the file.
  package let adjustments: [Adjustment]
  /// The whole data as it was decoded; for an unknown format its bytes.
  package let content: JSONValue

  /// No real adjustment data is larger once it is unpacked (painted masks can be megabytes).
  private static let largestContent = 16 << 20

  /// The format of Apple's adjustments of photos and Live Photos.
  static let photoFormat = "com.apple.photo"
  /// The format of Apple's slow motion.
  static let slowMotionFormat = "com.apple.video.slomo"

  /// Reads an `.AAE` file.
  ///
  /// - Parameter bytes: the file.
  /// - Returns: nil when it is no property list with Apple's adjustment keys.
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

  /// Decodes adjustment data of the formats that are known.
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

  /// Apple lists adjustments by identifier; our own edit and slow motion are objects of parts.
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
