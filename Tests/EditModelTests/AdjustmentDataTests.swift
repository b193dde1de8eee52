import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

@Suite struct AdjustmentDataTests {
  @Test func canonicalJSONHasOneForm() throws {
    let value = JSONValue.object([
      "b": .array([.integer(-7), .boolean(true), .boolean(false)]), "a": .string("é\"\\\n\u{1F}/"),
      "B": .object([:]), "é": .array([]),
    ])
    #expect(value.canonicalText == #"{"B":{},"a":"é\"\\\u000a\u001f/","b":[-7,true,false],"é":[]}"#)
    // Python reads the same value from the JSON, and writes the same text except for the escapes.
    let program = "import json,sys;print(json.loads(sys.stdin.buffer.read())['a'].encode().hex())"
    let answer = try Tools.run(["python3", "-c", program], input: Data(value.canonicalBytes))
    #expect(answer.text == Data("é\"\\\n\u{1F}/".utf8).map { String(format: "%02x", $0) }.joined() + "\n")
  }

  @Test func goldenBytes() {
    let settings = RenderSettings(videoCodec: .hevc, quality: .small, speed: .slow)
    let cases: [(Edit, RenderSettings, String)] = [
      (Edit(orientation: .right), .standard, #"{"edit":{"orientation":6},"process":1}"#),
      (.identity, .standard, "{}"),
      (
        Edit(orientation: .upMirrored), settings,
        #"{"edit":{"orientation":2},"process":1,"settings":{"quality":"small","speed":"slow","videoCodec":"hevc"}}"#
      ),
    ]
    for (edit, settings, text) in cases {
      let data = AdjustmentData(edit: edit, settings: settings)
      #expect(String(decoding: data.data, as: UTF8.self) == text)
      #expect(data.formatIdentifier == "org.liveedit.edit")
      #expect(data.formatVersion == (edit.isIdentity ? "1.0" : "1.4"))
    }
  }

  /// Data from earlier builds does not state the rendering process. Data from later builds that use other formulas is
  /// not this build's own.
  @Test func theProcessIsRecorded() throws {
    func data(_ text: String, _ version: String) -> AdjustmentData {
      AdjustmentData(
        formatIdentifier: AdjustmentData.ownFormatIdentifier, formatVersion: version, data: Data(text.utf8))
    }
    let edit = Edit(orientation: .right)
    #expect(data(#"{"edit":{"orientation":6}}"#, "1.0").decoded()?.edit == edit)
    #expect(data(#"{"edit":{"orientation":6},"process":1}"#, "1.4").decoded()?.edit == edit)
    let foreign = [
      (#"{"edit":{"orientation":6},"process":1}"#, "1.0"), (#"{"edit":{"orientation":6}}"#, "1.4"),
      (#"{"edit":{"orientation":6},"process":0}"#, "1.4"),
      (#"{"edit":{"orientation":6},"process":-1}"#, "1.4"),
      (#"{"edit":{"orientation":6},"process":\#(Edit.process + 1)}"#, "1.4"),
      (#"{"edit":{"orientation":6},"process":"1"}"#, "1.4"),
      (#"{"edit":{"orientation":6},"process":9223372036854775807}"#, "1.4"),
    ]
    for (text, version) in foreign { #expect(!data(text, version).canHandle, "\(text)") }
  }

  @Test func everyEditAndSettingComesBack() throws {
    for orientation in Orientation.allCases {
      for codec in [nil, RenderSettings.VideoCodec.h264, .hevc] {
        for quality in RenderSettings.Quality.allCases {
          for (speed, isLossless) in zip(RenderSettings.Speed.allCases, [false, true, true]) {
            let edit = Edit(orientation: orientation)
            let settings = RenderSettings(
              videoCodec: codec, quality: quality, speed: speed, isLossless: isLossless,
              photoFormat: isLossless ? .heic : speed == .fast ? .jpeg : .same)
            let decoded = try #require(AdjustmentData(edit: edit, settings: settings).decoded())
            #expect(decoded.edit == edit)
            #expect(decoded.settings == settings)
          }
        }
      }
    }
  }

  /// If the canonical form omitted a part of an edit, that part would be lost when the edit is opened again.
  @Test func noPartOfEditOrSettingsIsForgotten() {
    #expect(
      Mirror(reflecting: Edit.identity).children.compactMap(\.label) == [
        "orientation", "geometry", "adjustments", "curve", "channelCurves", "look", "local", "motion",
        "facts",
      ])
    #expect(
      Mirror(reflecting: Facts.neutral).children.compactMap(\.label) == ["date", "place", "description"])
    #expect(
      Mirror(reflecting: DescriptionChange.neutral).children.compactMap(\.label) == [
        "title", "caption", "keywords", "rating", "persons",
      ])
    #expect(
      Mirror(reflecting: RenderSettings.standard).children.compactMap(\.label) == [
        "videoCodec", "quality", "speed", "photoFormat", "isLossless",
      ])
  }

  @Test(arguments: [
    #"{"edit":{"orientation":6},"future":1}"#, #"{"edit":{"orientation":6,"exposure":0.5}}"#,
    #"{"edit":{"orientation":9}}"#, #"{"edit":{"orientation":1}}"#, #"{"edit":{}}"#,
    #"{ "edit":{"orientation":6}}"#, #"{"edit":{"orientation":6}} "#, #"{"edit":{"orientation":"6"}}"#,
    #"{"edit":{"orientation":6},"edit":{"orientation":8}}"#, #"{"settings":{"quality":"best"}}"#,
    #"{"settings":{"lossless":false}}"#, "", "[]",
    "nonsense",
  ])
  func whatIsNotWhollyUnderstoodIsForeign(_ text: String) {
    let data = AdjustmentData(
      formatIdentifier: AdjustmentData.ownFormatIdentifier, formatVersion: "1.0", data: Data(text.utf8))
    #expect(data.isOwn)
    #expect(!data.canHandle)
  }

  /// Edits with a look whose title is long enough to reach the size limit exactly, or exceed it by one byte.
  @Test func bytesOfAnEdit() throws {
    let grey = [SIMD3<Double>](repeating: SIMD3(0.5, 0.5, 0.5), count: 8)
    let table = try #require(LookTable(title: "A", size: 2, domain: 0...1, colors: grey))
    let edit = Edit(look: Look(.table(table)))
    let data = AdjustmentData(edit: edit, settings: .standard)
    let place = try #require(data.data.range(of: Data(#""title":"A"#.utf8))).upperBound
    // Spaces after the JSON count as part of it, but do not affect whether the edit was adopted.
    let adopted = Data(#"{"adopted":true}"#.utf8)
    for (size, isRead) in [(4 << 20, true), ((4 << 20) + 1, false)] {
      var longer = data
      let letters = Data(repeating: UInt8(ascii: "A"), count: size - data.data.count)
      longer.data.replaceSubrange(place..<place, with: letters)
      #expect(longer.data.count == size && longer.isOwn)
      #expect(longer.canHandle == isRead)
      longer.data = adopted + Data(repeating: UInt8(ascii: " "), count: size - adopted.count)
      #expect(longer.data.count == size && longer.isOwn)
      #expect(longer.isAdopted == isRead)
    }
  }

  @Test func otherFormatsAndVersionsAreForeign() {
    var data = AdjustmentData(edit: Edit(orientation: .left), settings: .standard)
    #expect(data.canHandle)
    data.formatVersion = "1.1"
    #expect(data.isOwn && !data.canHandle)
    data.formatVersion = "1.4"
    data.formatIdentifier = "com.apple.photo"
    #expect(!data.isOwn && !data.canHandle)
  }
}
