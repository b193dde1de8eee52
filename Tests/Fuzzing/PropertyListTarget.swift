import EditModel
import Foundation

extension FuzzTarget {
  /// Fuzzes XML and binary property lists from adjustment files, and the files themselves.
  static let propertyList = FuzzTarget(
    "propertylist",
    words: [
      "bplist00", "<plist version=\"1.0\">", "</plist>", "<dict>", "</dict>", "<key>", "</key>", "<array>",
      "</array>",
      "<string>", "</string>", "<data>", "</data>", "<integer>", "</integer>", "<real>", "<true/>",
      "<false/>", "<date>",
      "<![CDATA[", "]]>", "&amp;", "&#x41;", "<!--", "-->", "<!DOCTYPE plist", "adjustmentData",
      "adjustmentEditorBundleID",
      "adjustmentFormatIdentifier", "adjustmentFormatVersion", "adjustmentBaseVersion", "com.apple.photo",
      "com.apple.video.slomo", "org.liveedit.edit", "slowMotion",
    ],
    seeds: { name, file in
      if name.isEmpty { return ownLists }
      return ends(name, "aae", "plist") && file.count < 1 << 16 ? [file] : []
    },
    body: { input in
      if let inspection = AdjustmentInspection(bytes: input) {
        expect((try? JSONEncoder().encode(inspection)) != nil, "an inspection is no JSON")
      }
      guard let file = AdjustmentFile(bytes: input) else { return }
      guard let again = AdjustmentFile(bytes: file.bytes) else {
        broken("a file that was written cannot be read")
      }
      expect(again == file, "a file that was written says something else")
      for size in [(4032, 3024), (1, 1)] {
        _ = AppleAdjustments(file.adjustment, of: AppleAdjustments.Original(width: size.0, height: size.1))
      }
      _ = file.adjustment.decoded()
    })

  /// Property lists with every type of value, written by Foundation.
  private static var ownLists: [[UInt8]] {
    let shared = ["text": "a", "more": ["b", "c"]] as [String: any Sendable]
    let lists: [[String: any Sendable]] = [
      [
        "adjustmentData": Data("{}".utf8), "adjustmentFormatIdentifier": "com.apple.photo",
        "adjustmentFormatVersion": "1.10", "adjustmentEditorBundleID": "com.apple.Photos", "one": shared,
        "two": shared,
        "date": Date(timeIntervalSinceReferenceDate: 1), "real": 0.5, "truth": true, "number": -7,
        "unicode": "\u{1F600}",
      ],
      ["adjustmentData": Data(), "nested": [[[["x"]]]] as [[[[String]]]]],
    ]
    return lists.flatMap { list in
      [PropertyListSerialization.PropertyListFormat.binary, .xml].compactMap { format in
        (try? PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)).map {
          Array($0)
        }
      }
    }
  }
}
