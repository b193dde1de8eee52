import Basics
import EditModel
import LivePhotoFormat
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of the patterns for names of exported files.
@Suite struct ExportNameTests {
  private func values(
    make: String? = "Apple", model: String? = "iPhone 15 Pro", date: String? = "2019:12:29 19:01:15-08:00"
  ) -> ExportName.Values {
    var facts = CaptureFacts()
    (facts.make, facts.model) = (make, model)
    facts.created = date.flatMap { CaptureDate($0, source: .exif) }
    return ExportName.Values(stem: "IMG_0001", facts: facts, kind: .live, version: 2)
  }

  private func path(_ pattern: String, _ values: ExportName.Values? = nil) throws -> String {
    let place = try ExportName(pattern).place(values ?? self.values())
    return place.folder.isEmpty ? place.stem : place.folder + "/" + place.stem
  }

  @Test(arguments: [
    ("{date:%Y-%m}/{stem}-{camera}", "2019-12/IMG_0001-Apple iPhone 15 Pro"),
    ("{date}", "2019-12-29"), ("{date:%Y/%m/%d}/{stem}", "2019/12/29/IMG_0001"),
    ("{date:%H%M%S %A %j}", "190115 Sunday 363"), ("{date:%z}", "-0800"),
    ("{make}_{model}_{kind}_v{version}", "Apple_iPhone 15 Pro_live_v2"), ("plain", "plain"),
  ])
  func fieldsAreFilledIn(_ pattern: String, _ wanted: String) throws {
    #expect(try path(pattern) == wanted)
  }

  @Test func theMakerIsToldOnce() throws {
    #expect(try path("{camera}", values(make: "Google", model: "Google Pixel")) == "Google Pixel")
    #expect(try path("{camera}", values(make: nil)) == "iPhone 15 Pro")
    #expect(try path("{camera}", values(model: nil)) == "Apple")
    var original = values()
    original.version = 0
    #expect(try path("{version}", original) == "original")
  }

  /// Unknown values appear as “unknown” in the name and are reported.
  @Test func whatIsNotKnownIsNamed() throws {
    let bare = ExportName.Values(stem: "IMG_0001")
    let place = try ExportName("{date:%Y}/{camera}{camera}-{stem}").place(bare)
    #expect(place.folder == "unknown" && place.stem == "unknownunknown-IMG_0001")
    #expect(place.missing == [.date, .camera])
    #expect(try ExportName("{stem}").place(bare).missing == [])
  }

  /// Values from files cannot lead to another folder or hide a file, and the names can be written on every system.
  @Test(arguments: [
    ("../../etc/passwd", "_.-..-etc-passwd"), ("/", "-"), ("..", "unknown"), (".liveedit", "_liveedit"),
    ("a\u{0}b\nc\u{202E}d", "abcd"), ("C:\\x*?\"<>|", "C--x------"), ("  a b. ", "a b"),
    ("\u{1B}[31m", "[31m"), ("", "unknown"),
  ])
  func whatFilesSayIsHarmless(_ model: String, _ wanted: String) throws {
    #expect(try path("{model}", values(model: model)) == wanted)
    let nested = try path("a/{model}/b", values(model: model))
    #expect(nested == "a/\(wanted)/b")
  }

  @Test(arguments: [
    "", "/", "/x", "x/", "a//b", "../x", "a/../b", "./a", ".x", "{foo}", "{stem", "stem}", "{}", "{stem}}",
    "{make:%Y}", "{Stem}", "a/.{stem}",
  ])
  func whatLeadsAwayIsRefused(_ pattern: String) {
    #expect(throws: EditError.self) { try ExportName(pattern) }
  }

  /// A format that produces an empty or a very long name cannot lead elsewhere either.
  @Test(arguments: ["{date: }", "{date:%999999d}", "{date:..}/x", "{date:/../}/x", "{date:%n}"])
  func oddFormatsAreHarmless(_ pattern: String) throws {
    let place = try ExportName(pattern).place(values())
    let names =
      (place.folder.isEmpty ? [] : place.folder.split(separator: "/").map { String($0) }) + [place.stem]
    #expect(names.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count < 256 })
  }
}
