import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

/// Tests of property lists in every format: lists that Python's plistlib reads and writes, and lists built to be
/// endless.
@Suite struct PropertyListTests {
  /// Returns a value as JSON text, for comparison.
  private func canonical(_ value: JSONValue?) throws -> String {
    let data = try JSONEncoder().encode(try #require(value))
    let object = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed]),
      as: UTF8.self)
  }

  /// Returns the property lists that a Python program prints as hexadecimal lines, each followed by a line of JSON.
  func made(_ program: String) throws -> [(list: [UInt8], json: String)] {
    let head = """
      import base64, datetime, json, plistlib
      def plain(v):
          if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
          if isinstance(v, (list, tuple)): return [plain(x) for x in v]
          if isinstance(v, bytes): return base64.b64encode(v).decode()
          if isinstance(v, datetime.datetime): return v.strftime("%Y-%m-%dT%H:%M:%SZ")
          if isinstance(v, plistlib.UID): return v.data
          return v
      def show(data, value=None):
          print(data.hex())
          print(json.dumps(plain(plistlib.loads(data) if value is None else value)))
      """
    let lines = try Tools.output("python3", "-c", head + "\n" + program).text.split(
      separator: "\n", omittingEmptySubsequences: false)
    return stride(from: 0, to: lines.count - 1, by: 2).map {
      (bytes(String(lines[$0])), String(lines[$0 + 1]))
    }
  }

  func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private func expectSame(_ lists: [(list: [UInt8], json: String)], _ count: Int) throws {
    #expect(lists.count == count)
    for (list, json) in lists {
      let theirs = try JSONSerialization.jsonObject(with: Data(json.utf8), options: [.fragmentsAllowed])
      let text = String(
        decoding: try JSONSerialization.data(
          withJSONObject: theirs, options: [.sortedKeys, .fragmentsAllowed]), as: UTF8.self)
      #expect(try canonical(JSONValue(propertyList: list)) == text)
    }
  }

  @Test func everyKindOfValueIsReadAsPythonReadsIt() throws {
    try expectSame(
      made(
        """
        values = {"string": "plain", "text": "ü – 😀 <&>\\"'", "empty": "", "yes": True, "no": False,
            "numbers": [0, 1, -1, 127, 128, 255, 256, 65535, 65536, 2**31, 2**32, 2**63 - 1, -2**63],
            "reals": [0.0, -1.5, 1e300, 0.1], "data": bytes(range(256)), "nodata": b"",
            "dates": [datetime.datetime(2001, 1, 1), datetime.datetime(2024, 2, 29, 23, 59, 58),
                datetime.datetime(1999, 12, 31, 1, 2, 3)],
            "nested": {"a": {"b": [{"c": []}, {}]}}, "many": list(range(300)), "long": "x" * 70000}
        show(plistlib.dumps(values, fmt=plistlib.FMT_XML))
        show(plistlib.dumps(values, fmt=plistlib.FMT_BINARY))
        show(plistlib.dumps([values, values], fmt=plistlib.FMT_BINARY))
        show(plistlib.dumps({"u": plistlib.UID(7)}, fmt=plistlib.FMT_BINARY))
        for top in ["x", 5, True, b"abc", [], {}]:
            show(plistlib.dumps(top, fmt=plistlib.FMT_XML))
            show(plistlib.dumps(top, fmt=plistlib.FMT_BINARY))
        """), 16)
  }

  @Test func otherWaysToWriteXMLAreRead() throws {
    try expectSame(
      made(
        """
        head = '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x">'
        def both(body, value=None): show((head + '<plist version="1.0">' + body + '</plist>').encode(), value)
        both('<dict><!-- no --><key>a</key> <integer>0x1F</integer></dict>')
        both("<array><true></true><false/><string/></array>")
        both('<array attribute="a/>b"><string x=\\'1\\'>a&#65;&#x42;&amp;&lt;&gt;&quot;&apos;</string></array>')
        both('<string>a<![CDATA[<b>&amp;]]>c</string>')
        both('<string>&amp;\\u0301e&lt;\\u0308</string>')
        both("<data> AQ ID\\n\\t/w== </data>")
        both("<array><real>inf</real><real>nan</real></array>", ["inf", "nan"])
        both("<integer>18446744073709551615</integer>", 2**64 - 1.0)
        show(b"\\xef\\xbb\\xbf" + head.encode() + b"<plist><dict/></plist>\\n<!-- end -->\\n")
        show(b"<array><integer>1</integer></array>", [1])
        """), 10)
  }

  /// Nested elements, with any name.
  @Test(
    arguments: ["plist", "dict", "array", "key", "string", "integer", "data", "unknown", "dict><key>a</key"])
  func nestedElementsAreRefused(_ name: String) {
    for prefix in ["", "<plist>", "<plist><dict><key>a</key>"] {
      let open = prefix + String(repeating: "<\(name)>", count: 70)
      #expect(JSONValue(propertyList: Array(open.utf8)) == nil)
      let close = String(repeating: "</\(name.prefix { $0 != ">" })>", count: 70)
      #expect(JSONValue(propertyList: Array((open + close).utf8)) == nil)
    }
  }

  /// A list that is otherwise valid may have 64 levels.
  @Test(arguments: [("<array>", "</array>"), ("<dict><key>a</key>", "</dict>")])
  func levelsOfAList(_ open: String, _ close: String) {
    for levels in [64, 65] {
      let nested =
        String(repeating: open, count: levels) + "<true/>" + String(repeating: close, count: levels)
      let list = JSONValue(propertyList: Array("<plist>\(nested)</plist>".utf8))
      #expect((list != nil) == (levels == 64), "\(levels)")
    }
  }

  @Test func brokenXMLIsRefused() {
    for text in [
      "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
      "<plist><array></dict></plist>", "<plist><integer>x</integer></plist>",
      "<plist><string>&bad;</string></plist>",
      "<plist><string>&#xD800;</string></plist>", "<plist><data>!</data></plist>", "<plist>", "<plist/>",
      "<plist></plist>", "<plist><string>a</string>", "<plist><date>2024-13-01T00:00:00Z</date></plist>",
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>", "<", "<!", "<!--", "<?",
      "</", "<a",
      "<string", "<string>", "<string><![CDATA[", "<string>&", "<string>&#", "<string a=\"", "{a=b;}",
      "(1, 2)", "",
    ] {
      #expect(JSONValue(propertyList: Array(text.utf8)) == nil, "\(text)")
    }
  }

  /// Returns a binary property list of these objects with the first as its top object and all numbers in four bytes.
  func binary(_ objects: [[UInt8]]) -> [UInt8] {
    func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }
    var list = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += number(list.count)
      list += object
    }
    let table = list.count
    return list + offsets + [0, 0, 0, 0, 0, 0, 4, 4] + number(objects.count, 8) + number(0, 8)
      + number(table, 8)
  }

  /// Returns an array of 14 references to one object.
  func array(of object: UInt8, marker: UInt8 = 0xAE) -> [UInt8] {
    [marker] + (0..<14).flatMap { _ in [0, 0, 0, object] }
  }

  @Test func numbersAtTheirLimitsAreRefused() {
    let list = binary([[0xA1, 0, 0, 0, 1], [0x51, 0x78]])
    #expect(JSONValue(propertyList: list) == .array([.string("x")]))
    let trailer = list.count - 32
    // The widths, the counts, the top object and the table offset, with each byte set to extreme values.
    for at in trailer..<list.count {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        for next: UInt8 in [0, 0x7F, 0xFF] {
          var changed = list
          changed[at] = value
          if at + 1 < list.count { changed[at + 1] = next }
          _ = JSONValue(propertyList: changed)
        }
      }
    }
    for size: [UInt8] in [
      [0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x13, 0x80, 0, 0, 0, 0, 0, 0, 0],
      [0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x12, 0, 0xFF, 0xFF, 0xFF], [0x14], [0x51],
    ] {
      for marker: UInt8 in [0x4F, 0x5F, 0x6F, 0x7F, 0xAF, 0xCF, 0xDF] {
        #expect(JSONValue(propertyList: binary([[marker] + size])) == nil)
      }
    }
    for length in 0..<list.count {
      #expect(JSONValue(propertyList: Array(list.prefix(length))) == nil)
    }
  }
}
