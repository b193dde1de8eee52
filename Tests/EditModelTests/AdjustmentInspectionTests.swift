import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

@Suite struct AdjustmentInspectionTests {
  @Test func dataThatPythonPackedIsUnpacked() throws {
    let file = try packed(
      #"{"adjustments": [{"identifier": "Crop", "enabled": False, "settings": {"angle": -1.5, "n": 3, "ok": True, "none": None}}]}"#
    )
    let inspection = try #require(AdjustmentInspection(bytes: file))
    let crop = try #require(inspection.adjustments.first)
    #expect(crop.identifier == "Crop")
    #expect(!crop.isEnabled)
    #expect(
      crop.settings
        == .object(["angle": .number(-1.5), "n": .integer(3), "ok": .boolean(true), "none": .null]))
  }

  /// Spaces before a small object, most of them in stored blocks (RFC 1951 section 3.2.4), so that little is
  /// decompressed. The first case is exactly within the limits, both compressed and decompressed.
  @Test func bytesOfUnpackedAdjustments() throws {
    let (count, length) = (240, 0xFFFF)
    let block: [UInt8] = [0, 0xFF, 0xFF, 0, 0] + [UInt8](repeating: UInt8(ascii: " "), count: length)
    for (size, isRead) in [(16 << 20, true), ((16 << 20) + 1, false)] {
      var bytes: [UInt8] = []
      for _ in 0..<count { bytes += block }
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: size - count * length - 2)
      // Omits the header and the checksum of RFC 1950.
      bytes += try #require(Deflate.deflated(spaces + Array("{}".utf8))).dropFirst(2).dropLast(4)
      let decoded = AdjustmentInspection.decode(
        AdjustmentData(formatIdentifier: "com.apple.photo", formatVersion: "1.5", data: Data(bytes)))
      #expect(decoded.reading == (isRead ? .shown : .damaged))
      #expect((decoded.content != nil) == isRead)
    }
  }

  @Test func propertyListsThatContainThemselvesAreRefused() throws {
    // A binary property list whose only array refers to itself twice. Without a limit, reading it would never end.
    let header = Array("bplist00".utf8)
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 11]
    let endless = header + [0xA2, 0, 0] + [8] + trailer
    #expect(JSONValue(propertyList: endless) == nil)
    for levels in [64, 65] {
      let deep = String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
      #expect((JSONValue(json: Array(deep.utf8)) != nil) == (levels == 64), "\(levels)")
    }
  }

  @Test func damagedFilesNeverCrash() throws {
    let whole = try packed(
      #"{"adjustments": [{"identifier": "Crop", "settings": {"a": [1, 2, {"b": "c"}]}}]}"#)
    var state: UInt64 = 1
    var read = 0
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<3 {
        // Uses Knuth's linear congruential generator, so that a failure can be reproduced.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      if AdjustmentInspection(bytes: bytes) != nil { read += 1 }
    }
    #expect(read > 0)
  }

  @Test func datesThatNoCalendarHoldsAreNumbers() throws {
    func list(_ seconds: Double) -> [UInt8] {
      let number = (0..<8).map { UInt8(truncatingIfNeeded: seconds.bitPattern >> (56 - 8 * UInt64($0))) }
      let trailer: [UInt8] =
        [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 15) + [17]
      return Array("bplist00".utf8) + [0x33] + number + [8] + trailer
    }
    #expect(
      JSONValue(propertyList: list(86_400))
        == .date(Date(timeIntervalSinceReferenceDate: 86_400)))
    #expect(JSONValue(propertyList: list(1e300)) == .number(1e300))
    #expect(JSONValue(propertyList: list(-1e300)) == .number(-1e300))
  }

  @Test func ownAndUnknownFormatsAreTold() throws {
    let own = AdjustmentFile(
      adjustment: AdjustmentData(edit: Edit(orientation: .right), settings: .standard))
    let inspection = try #require(AdjustmentInspection(bytes: own.bytes))
    #expect(inspection.reading == .own)
    #expect(inspection.adjustments.map(\.identifier) == ["orientation"])
    #expect(inspection.adjustments.first?.settings == .integer(6))
    let other = AdjustmentFile(
      adjustment: AdjustmentData(
        formatIdentifier: "com.apple.Photos.externalEdit", formatVersion: "1", data: Data([1, 2, 3])),
      editor: "x")
    let opaque = try #require(AdjustmentInspection(bytes: other.bytes))
    #expect(opaque.reading == .opaque)
    #expect(opaque.content == .data([1, 2, 3]))
    #expect(AdjustmentInspection(bytes: Array("text".utf8)) == nil)
  }

  /// Returns an adjustment file whose data Python compresses from a Python literal.
  func packed(_ literal: String, padding: Int = 0) throws -> [UInt8] {
    let answer = try Tools.run([
      "python3", "-c",
      """
      import json, plistlib, sys, zlib
      c = zlib.compressobj(9, zlib.DEFLATED, -15)
      text = b" " * \(padding) + json.dumps(\(literal)).encode()
      sys.stdout.buffer.write(plistlib.dumps({"adjustmentFormatIdentifier": "com.apple.photo",
          "adjustmentFormatVersion": "1.5", "adjustmentData": c.compress(text) + c.flush()}))
      """,
    ])
    try #require(answer.status == 0, "\(answer.standardError)")
    return [UInt8](answer.standardOutput)
  }

  func object(_ value: some Encodable) throws -> [String: Any] {
    let data = try JSONEncoder().encode(value)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}
