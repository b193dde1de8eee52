import EditModel
import Testing

/// Tests of the adjustment data of adopted edits, and of edits based on them.
@Suite struct AdoptedDataTests {
  @Test func adoptedDataSayThatTheyAre() throws {
    let edit = Edit(orientation: .right)
    let data = AdjustmentData(edit: edit, settings: .standard, isAdopted: true)
    #expect(data.isAdopted && data.formatVersion == "1.5")
    #expect(data.decoded()?.edit == edit)
    #expect(
      String(decoding: data.data, as: UTF8.self) == #"{"adopted":true,"edit":{"orientation":6},"process":1}"#)
    let nothing = AdjustmentData(edit: .identity, settings: .standard, isAdopted: true)
    #expect(nothing.isAdopted && nothing.decoded()?.edit == .identity)
    let own = AdjustmentData(edit: edit, settings: .standard)
    #expect(!own.isAdopted && own.formatVersion == "1.4")
    // With an older version number, the data is not understood.
    var older = data
    older.formatVersion = "1.4"
    #expect(!older.canHandle)
  }

  @Test func editsFollowEdits() throws {
    var look = Edit(orientation: .right)
    look[.exposure] = 0.5
    var crop = Edit(orientation: .down, geometry: Geometry(straighten: 2))
    let both = try #require(crop.after(look))
    #expect(both.orientation == .left && both[.exposure] == 0.5 && both.geometry.straighten == 2)
    crop[.contrast] = 0.2
    #expect(crop.after(look) == nil)
    #expect(Edit(geometry: Geometry(straighten: 1)).after(Edit(geometry: Geometry(straighten: 2))) == nil)
    let turned = try #require(
      Edit(orientation: .flippedHorizontally).after(Edit(geometry: Geometry(straighten: 2))))
    #expect(turned.geometry.straighten == -2)
  }

  @Test func timeAndSoundAreLaidOver() throws {
    let first = try Motion(trim: Trim(from: 0.2, to: 1), volume: 0)
    let second = try Motion(keyPhoto: 0.5)
    let laid = second.laid(over: first)
    #expect(laid.trim == first.trim && laid.keyPhotoSeconds == 0.5 && laid.soundFactor == 0)
    #expect(Motion.neutral.laid(over: first) == first && first.laid(over: .neutral) == first)
  }
}
