import Foundation
import TestSupport
import Testing

@testable import EditModel

@Suite struct AdjustmentFileTests {
  let file = AdjustmentFile(
    adjustment: AdjustmentData(edit: Edit(orientation: .right), settings: .standard),
    rendered: AdjustmentFile.Rendered(photo: "aa", movie: "bb"), time: 1_700_000_000)

  /// Returns the content of a property list as sorted JSON, read by Python's plistlib.
  func plistlib(_ bytes: [UInt8]) throws -> String {
    let program = """
      import plistlib, json, sys
      v = plistlib.loads(sys.stdin.buffer.read())
      print(json.dumps(v, sort_keys=True, default=lambda b: b.decode() if isinstance(b, bytes) else str(b)))
      """
    return try Tools.run(["python3", "-c", program], input: Data(bytes)).text
  }

  /// Returns a property list written by Python's plistlib.
  func written(_ dictionary: String, format: String) throws -> [UInt8] {
    let program =
      "import plistlib, sys; sys.stdout.buffer.write(plistlib.dumps(\(dictionary), fmt=plistlib.\(format)))"
    return Array(try Tools.run(["python3", "-c", program]).standardOutput)
  }

  @Test func anotherReaderFindsApplesKeys() throws {
    #expect(
      try plistlib(file.bytes)
        == #"{"adjustmentBaseVersion": 0, "adjustmentData": "{\"edit\":{\"orientation\":6},\"process\":1}", "#
        + #""adjustmentEditorBundleID": "org.liveedit", "adjustmentFormatIdentifier": "org.liveedit.edit", "#
        + #""adjustmentFormatVersion": "1.4", "adjustmentRenderTypes": 0, "#
        + #""adjustmentTimestamp": "2023-11-14 22:13:20", "#
        + #""liveeditRenderedSHA256": {"movie": "bb", "photo": "aa"}}"# + "\n")
  }

  @Test func marksOfXMLAreEscaped() throws {
    var odd = file
    odd.editor = "<a> & </string>"
    #expect(try plistlib(odd.bytes).contains(#""adjustmentEditorBundleID": "<a> & </string>""#))
    #expect(AdjustmentFile(bytes: odd.bytes) == odd)
  }

  @Test func comesBack() throws {
    #expect(AdjustmentFile(bytes: file.bytes) == file)
  }

  /// Files of earlier versions have no time, and a time outside every calendar is not written.
  @Test func aFileMayHaveNoTime() throws {
    for time in [nil, 1 << 40] {
      let file = AdjustmentFile(adjustment: file.adjustment, time: time)
      #expect(try !plistlib(file.bytes).contains("adjustmentTimestamp"))
      #expect(AdjustmentFile(bytes: file.bytes) == file && file.time == nil)
    }
  }

  @Test(arguments: ["FMT_XML", "FMT_BINARY"])
  func readsWhatAnotherWriterWrote(_ format: String) throws {
    let bytes = try written(
      """
      {'adjustmentTimestamp': __import__('datetime').datetime(2023, 11, 14, 22, 13, 20, 500000),
       'adjustmentBaseVersion': 0, 'adjustmentData': b'\\x00\\xff', 'adjustmentEditorBundleID': 'com.apple.Photos',
       'adjustmentFormatIdentifier': 'com.apple.photo', 'adjustmentFormatVersion': '1.5', 'other': [1, {'x': 2.5}]}
      """, format: format)
    let read = try #require(AdjustmentFile(bytes: bytes))
    #expect(
      read.adjustment
        == AdjustmentData(formatIdentifier: "com.apple.photo", formatVersion: "1.5", data: Data([0, 255])))
    #expect(read.editor == "com.apple.Photos")
    #expect(read.rendered == AdjustmentFile.Rendered())
    #expect(read.time == 1_700_000_000)
  }

  @Test func otherFilesAreNone() throws {
    #expect(AdjustmentFile(bytes: []) == nil)
    #expect(AdjustmentFile(bytes: Array("hello".utf8)) == nil)
    #expect(AdjustmentFile(bytes: Array("bplist00".utf8)) == nil)
    #expect(try AdjustmentFile(bytes: written("{'a': 1}", format: "FMT_BINARY")) == nil)
    for length in 0..<file.bytes.count - 10 {
      #expect(AdjustmentFile(bytes: Array(file.bytes.prefix(length))) == nil)
    }
  }
}
