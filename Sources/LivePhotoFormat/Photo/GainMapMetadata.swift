/// The parameters for creating the HDR picture from a gain map, in the format of ISO 21496-1. A JPEG stores these
/// parameters in a segment of the gain map or in Ultra HDR 1.1 XMP (`hdrgm`). A HEIC photo stores these parameters in a
/// `tmap` item.
struct GainMapMetadata: Hashable, Sendable {
  /// The encoded parameters: versions, flags and headrooms, followed by the gains, gamma and offsets of one channel or
  /// three channels (ISO 21496-1 annex C.2).
  let bytes: [UInt8]

  /// Reads the parameters from a gain map's segments.
  ///
  /// - Parameter parts: The gain map's segments.
  /// - Returns: The parameters, or nil if the gain map does not contain any parameters or if the base picture is the
  ///   HDR picture.
  init?(_ parts: JPEGParts) throws {
    if let said = parts.contents(of: .gainMap).first(where: Self.isWhole) {
      bytes = said
    } else if let said = try parts.packets.lazy.compactMap(Self.bytes).first {
      bytes = said
    } else {
      return nil
    }
  }

  /// Returns whether both versions are 0 and the data contains values for all channels that the flags declare.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 5, bytes[0] == 0, bytes[1] == 0 else { return false }
    return bytes.count >= 5 + 16 + (bytes[4] & 0x80 == 0 ? 40 : 120)
  }

  private static func bytes(_ packet: XMPPacket) -> [UInt8]? {
    func numbers(_ local: String, _ missing: Double?) -> [Double]? {
      guard
        let property = packet.properties(in: XMPPacket.Namespace.gainMap).first(where: {
          $0.name.local == local
        })
      else { return missing.map { [$0] } }
      let texts: [String]
      if let text = packet.text(of: property)?.text {
        texts = [text]
      } else if case .element(let list) = property {
        texts = packet.descendants(of: list).filter { $0.name == .rdf("li") }.prefix(4).compactMap {
          packet.tree.simpleText(of: $0)?.text
        }
      } else {
        return nil
      }
      let values = texts.compactMap { Double($0) }.filter { abs($0) <= 1e6 }
      return values.count == texts.count && [1, 3].contains(values.count) ? values : nil
    }
    let isHDR =
      packet.text("BaseRenditionIsHDR", in: XMPPacket.Namespace.gainMap)?.text.lowercased() == "true"
    // Missing values have these defaults in Ultra HDR 1.1.
    guard !isHDR, let low = numbers("HDRCapacityMin", 0), let high = numbers("HDRCapacityMax", nil),
      low.count == 1,
      high.count == 1, let least = numbers("GainMapMin", 0), let most = numbers("GainMapMax", nil),
      let gamma = numbers("Gamma", 1), let base = numbers("OffsetSDR", 1.0 / 64),
      let other = numbers("OffsetHDR", 1.0 / 64), gamma.allSatisfy({ $0 > 0 }), low[0] >= 0, high[0] >= 0
    else { return nil }
    let ofChannels = [least, most, gamma, base, other]
    let channels = ofChannels.contains { $0.count == 3 } ? 3 : 1
    // The gains refer to the primaries of the base picture.
    let head: [UInt8] = [0, 0, 0, 0, channels == 3 ? 0xC0 : 0x40]
    let values =
      low + high
      + (0..<channels).flatMap { channel in ofChannels.map { $0.count == 3 ? $0[channel] : $0[0] } }
    return head + values.flatMap(fraction)
  }

  /// Encodes a number as a numerator and a denominator with four bytes each. The decimal value is preserved exactly if
  /// it fits.
  private static func fraction(_ value: Double) -> [UInt8] {
    var (numerator, denominator) = (value.rounded(), 1.0)
    var unit = 1.0
    for _ in 0..<9 where numerator / denominator != value {
      unit *= 10
      guard abs(value * unit) < 0x7FFF_FFFF else { break }
      (numerator, denominator) = ((value * unit).rounded(), unit)
    }
    let big = ByteOrder.big
    return big.bytes(of: Int(numerator) & 0xFFFF_FFFF, width: 4) + big.bytes(of: Int(denominator), width: 4)
  }
}
