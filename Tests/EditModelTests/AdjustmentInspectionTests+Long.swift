import Foundation
import TestSupport
import Testing

@testable import EditModel

extension AdjustmentInspectionTests {
  /// Apple's data gives the same result as with Python's zlib and plistlib.
  @Test(arguments: sampleFiles())
  func samplesAreReadAsPythonReadsThem(_ file: URL) throws {
    let inspection = try #require(AdjustmentInspection(bytes: [UInt8](try Data(contentsOf: file))))
    let theirs = try python(
      """
      import base64, datetime, json, plistlib, sys, zlib
      def plain(v):
          if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
          if isinstance(v, list): return [plain(x) for x in v]
          if isinstance(v, bytes): return base64.b64encode(v).decode()
          return v
      p = plistlib.load(open(sys.argv[1], "rb"))
      d = p["adjustmentData"]
      f = p["adjustmentFormatIdentifier"]
      c = json.loads(zlib.decompress(d, -15)) if f == "com.apple.photo" else plistlib.loads(d) if f.endswith("slomo") else d
      t = p.get("adjustmentTimestamp")
      print(json.dumps({"format": f, "version": p["adjustmentFormatVersion"], "size": len(d), "content": plain(c),
          "editor": p.get("adjustmentEditorBundleID", ""), "types": p.get("adjustmentRenderTypes", -1),
          "time": t.strftime("%Y-%m-%dT%H:%M:%SZ") if t else ""}))
      """, file.path)
    #expect(inspection.formatIdentifier == theirs["format"] as? String)
    #expect(inspection.formatVersion == theirs["version"] as? String)
    #expect(inspection.dataSize == theirs["size"] as? Int)
    #expect(inspection.editor == theirs["editor"] as? String)
    #expect(inspection.renderTypes ?? -1 == theirs["types"] as? Int)
    #expect(inspection.reading == .shown)
    let ours = try object(inspection)
    #expect(ours["timestamp"] as? String ?? "" == theirs["time"] as? String)
    #expect(try canonical(ours["content"]) == canonical(theirs["content"]))
    if let list = (theirs["content"] as? [String: Any])?["adjustments"] as? [[String: Any]] {
      #expect(inspection.adjustments.map(\.identifier) == list.compactMap { $0["identifier"] as? String })
      #expect(inspection.adjustments.map(\.isEnabled) == list.map { $0["enabled"] as? Bool ?? true })
    }
  }

  @Test func whatUnpacksToTooMuchIsRefused() throws {
    // 16 MB of spaces before a small object: valid JSON that takes about 16 KB compressed, but too much once
    // decompressed.
    let file = try packed(#"{}"#, padding: 16 << 20)
    #expect(file.count < 1 << 20)
    let inspection = try #require(AdjustmentInspection(bytes: file))
    #expect(inspection.reading == .damaged)
    #expect(inspection.adjustments.isEmpty)
    #expect(Deflate.inflated(Array(repeating: 0xFF, count: 100), limit: 1000) == nil)
    #expect(Deflate.inflated([], limit: 1000) == nil)
    // One stored block of three bytes (RFC 1951 section 3.2.4), complete and truncated.
    let stored: [UInt8] = [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63]
    #expect(Deflate.inflated(stored, limit: 1000) == Array("abc".utf8))
    #expect(Deflate.inflated(Array(stored.dropLast()), limit: 1000) == nil)
    #expect(Deflate.inflated(stored, limit: 2) == nil)
  }

  private func python(_ script: String, _ argument: String) throws -> [String: Any] {
    let answer = try Tools.run(["python3", "-c", script, argument])
    try #require(answer.status == 0, "\(answer.standardError)")
    return try #require(JSONSerialization.jsonObject(with: answer.standardOutput) as? [String: Any])
  }

  /// Returns a JSON value as text that is equal for equal values.
  private func canonical(_ value: Any?) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: try #require(value), options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }
}

/// Returns the adjustment files of the samples, if any are available.
private func sampleFiles() -> [URL] {
  [
    "iphone-6s-jpeg/IMG_0728.AAE", "iphone-15pro-heic/IMG_3582.AAE", "iphone-15pro-heic/IMG_O3582.AAE",
    "sidecars/IMG_1853.AAE", "sidecars/IMG_4120.AAE", "sidecars/slomo.AAE", "sidecars/wedding.AAE",
  ].compactMap(TestFiles.sample)
}
