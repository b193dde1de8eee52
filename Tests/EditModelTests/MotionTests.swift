import Basics
import Foundation
import Testing

@testable import EditModel

@Suite struct MotionTests {
  private static func full() throws -> Motion {
    try Motion(
      trim: Trim(from: 0.4, to: 2.1), keyPhoto: 1.25, volume: 0.5, effect: .longExposure, isLiveOff: true)
  }

  /// Programs that do not support motion edits must consider these edits foreign.
  @Test func goldenBytes() throws {
    let data = AdjustmentData(edit: Edit(orientation: .right, motion: try Self.full()), settings: .standard)
    #expect(
      String(decoding: data.data, as: UTF8.self)
        == #"{"edit":{"motion":{"effect":"longExposure","keyPhoto":1.25,"live":false,"trim":[0.4,2.1],"#
        + #""volume":0.5},"orientation":6},"process":1}"#)
    #expect(data.formatVersion == "1.4")
  }

  @Test func everyValueComesBack() throws {
    var motions = [
      try Self.full(), try Motion(trim: Trim(from: 0, to: 0.000001)), try Motion(keyPhoto: 0),
      try Motion(volume: 0),
      try Motion(isLiveOff: true), try Motion(trim: Trim(from: 1.0 / 3, to: 86400)),
    ]
    motions += try Motion.Effect.allCases.filter { $0 != .none }.map { try Motion(effect: $0) }
    for motion in motions {
      let edit = Edit(motion: motion)
      #expect(!motion.isNeutral && !edit.isIdentity && edit.keepsAppearance)
      #expect(edit.turned(.right).motion == motion)
      let data = AdjustmentData(edit: edit, settings: .standard)
      #expect(AdjustmentData(edit: edit, settings: .standard, process: nil).formatVersion == "1.3")
      #expect(data.decoded()?.edit == edit)
      // The job that the helper reads preserves the edit.
      let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
      #expect(try JSONDecoder().decode(RenderJob.self, from: JSONEncoder().encode(job)) == job)
    }
  }

  @Test func aValueThatIsSetLeavesTheOthers() throws {
    var motion = try Self.full()
    try motion.setTrim(Trim(from: 1, to: 2))
    try motion.setSoundFactor(0.25)
    #expect(
      motion
        == (try Motion(
          trim: Trim(from: 1, to: 2), keyPhoto: 1.25, volume: 0.25, effect: .longExposure, isLiveOff: true)))
    #expect(throws: EditError.self) { try motion.setTrim(Trim(from: 1.5, to: 2)) }
    #expect(throws: EditError.self) { try motion.setKeyPhoto(2) }
    // A frame that begins slightly before the part belongs to it.
    try motion.set(trim: Trim(from: 1.2504, to: 2), keyPhoto: 1.25)
    #expect(try motion.keyPhotoSeconds == 1.25 && motion.trim == Trim(from: 1.2504, to: 2))
    try motion.set(trim: Trim(from: 1, to: 2), keyPhoto: 1.25)
    #expect(throws: EditError.self) { try motion.setSoundFactor(1.5) }
    #expect(motion.trim == (try Trim(from: 1, to: 2)) && motion.soundFactor == 0.25)
    try motion.setTrim(nil)
    #expect(motion.trim == nil && motion.keyPhotoSeconds == 1.25)
  }

  @Test func partsAreTakenFromAnother() throws {
    let (full, other) = (try Self.full(), try Motion(volume: 0.75, effect: .loop))
    #expect(try other.taking([], of: full) == other)
    #expect(try other.taking([.trim], of: full) == Motion(trim: full.trim, volume: 0.75, effect: .loop))
    #expect(try other.taking(MotionPart.portable, of: full) == Motion(volume: 0.5, effect: full.effect))
    #expect(try other.taking([.live], of: full) == Motion(volume: 0.75, effect: .loop, isLiveOff: true))
    #expect(
      try other.taking([.keyPhoto], of: full) == Motion(keyPhoto: 1.25, volume: 0.75, effect: .loop))
    // Parts that are neutral in the source are reset.
    #expect(
      try full.taking([.trim, .live], of: .neutral)
        == Motion(keyPhoto: 1.25, volume: 0.5, effect: .longExposure))
    #expect(try full.taking([.keyPhoto], of: .neutral).keyPhoto == nil)
    let later = try Motion(trim: Trim(from: 2, to: 3))
    #expect(throws: EditError.self) { try full.taking([.trim], of: later) }
  }

  @Test func neutralValuesAreNoEdit() throws {
    #expect(try Motion() == .neutral)
    #expect(try Motion(volume: 0.999) == .neutral)
    #expect(Edit(motion: .neutral).isIdentity)
    let turned = AdjustmentData(edit: Edit(orientation: .right), settings: .standard, process: nil)
    #expect(turned.data == Data(#"{"edit":{"orientation":6}}"#.utf8))
    #expect(turned.formatVersion == "1.0")
  }

  @Test(arguments: [
    #"{"trim":[2,1]}"#, #"{"trim":[0.4]}"#, #"{"trim":[-1,1]}"#, #"{"trim":[1,1e30]}"#, #"{"keyPhoto":-0.5}"#,
    #"{"keyPhoto":3,"trim":[0,2]}"#, #"{"volume":1.5}"#, #"{"effect":"boomerang"}"#, #"{"live":true}"#,
    #"{"volume":1}"#, #"{"volume":0.333}"#, #"{"speed":2}"#, #"{}"#,
  ])
  func whatIsUnknownOrImpossibleIsForeign(_ motion: String) {
    let data = AdjustmentData(
      formatIdentifier: AdjustmentData.ownFormatIdentifier, formatVersion: "1.3",
      data: Data(#"{"edit":{"motion":\#(motion)}}"#.utf8))
    #expect(data.decoded() == nil)
  }

  @Test func nonsenseIsRefused() throws {
    for (start, end) in [(1.0, 1.0), (2, 1), (-0.1, 1), (.nan, 1), (0, .infinity), (0, 1e-7)] {
      let refused = #expect(throws: EditError.self) { try Trim(from: start, to: end) }
      #expect(refused?.code == .invalidEdit)
    }
    for volume in [-0.01, 1.01, .nan] {
      #expect(throws: EditError.self) { try Motion(volume: volume) }
    }
    let cut = #expect(throws: EditError.self) { try Motion(trim: Trim(from: 1, to: 2), keyPhoto: 2) }
    #expect(cut?.problem.contains("outside the trimmed range") ?? false)
    #expect(throws: EditError.self) { try Motion(keyPhoto: .infinity) }
  }

  /// Presets and copied edits do not contain motion edits.
  @Test func partsLeaveTimeAlone() throws {
    let timed = Edit(orientation: .right, motion: try Self.full())
    let copy = PartialEdit(Set(EditPart.allCases), of: timed)
    #expect(copy.applied(to: .identity) == Edit(orientation: .right))
    #expect(copy.applied(to: timed) == timed)
    let json =
      #"{"formatIdentifier":"org.liveedit.preset","formatVersion":"1.0","summary":"","edit":{"motion":{}}}"#
    let refused = #expect(throws: MediaError.self) { try Preset(json: Array(json.utf8), name: "x") }
    #expect(refused?.problem.contains("motion") ?? false)
  }
}

@Suite struct MotionPlanTests {
  /// Frames of 0.1 s each, the first at 0.25 s.
  private static let source = (0..<10).map {
    SourceFrame(time: Int64(60 * $0), duration: 60, seconds: 0.25 + Double($0) / 10, syncSample: 0)
  }

  private static let shown = source.enumerated().map {
    ShownFrame(number: $0, seconds: $1.seconds, duration: $1.duration)
  }

  @Test func timesAreSumsOfDurations() throws {
    let frames = [(3, 20), (3, 40), (1, 60)].map { MotionPlan.Frame($0, duration: $1) }
    let plan = try MotionPlan(frames: frames, of: Self.source, sound: nil, still: 0.05)
    #expect(plan.times == [0, 20, 60])
    #expect(plan.duration == 120)
  }

  @Test func aTrimKeepsTheFramesThatBeginInIt() throws {
    let trim = try Trim(from: 0.4, to: 0.65)
    let plan = try MotionPlan(
      keeping: trim, of: Self.shown, from: Self.source, timeScale: 600, still: 0.5)
    // The frames at 0.45 s and 0.55 s; the part ends at 0.65 s.
    #expect(plan.frames == [MotionPlan.Frame(2, duration: 60), MotionPlan.Frame(3, duration: 60)])
    #expect(plan.times == [0, 60])
    let sound = try #require(plan.sound)
    #expect(abs(sound.lowerBound - 0.45) < 1e-9 && abs(sound.upperBound - 0.65) < 1e-9)
    #expect(abs((plan.still ?? 0) - 0.05) < 1e-9)
  }

  /// Shows frames 7 and 8, then 2 and 3, then 7 again.
  @Test func framesThatAreShownInAnotherOrderAreKeptSo() throws {
    let shown = [7, 8, 2, 3, 7].enumerated().map {
      ShownFrame(number: $1, seconds: Double($0) / 10, duration: 60)
    }
    let plan = try MotionPlan(
      keeping: Trim(from: 0.1, to: 0.5), of: shown, from: Self.source, timeScale: 600, still: 0.2)
    #expect(plan.frames.map(\.parts[0].number) == [8, 2, 3, 7])
    #expect(plan.sound.map { abs($0.lowerBound - 0.1) < 1e-9 && abs($0.upperBound - 0.5) < 1e-9 } == true)
    #expect(abs((plan.still ?? 0) - 0.1) < 1e-9)
    // Each frame's timed metadata is looked up at the time when the frame is shown.
    #expect(plan.source[8].seconds == 0.1 && plan.source[7].seconds == 0.4 && plan.source[0].seconds == 0.25)
  }

  @Test func aPauseInTheMidstIsRefused() throws {
    let shown = [0.0, 0.1, 0.5].enumerated().map { ShownFrame(number: $0, seconds: $1, duration: 60) }
    let broken = #expect(throws: EditError.self) {
      try MotionPlan(
        keeping: Trim(from: 0, to: 0.6), of: shown, from: Self.source, timeScale: 600, still: nil)
    }
    #expect(
      broken?.problem == "has a gap from 0.2 s to 0.5 s within the part to be kept")
    let plan = try MotionPlan(
      keeping: Trim(from: 0, to: 0.2), of: shown, from: Self.source, timeScale: 600, still: nil)
    #expect(plan.duration == 120)
  }

  @Test func whatShowsNothingOrCutsThePhotoOffIsRefused() throws {
    let empty = #expect(throws: EditError.self) {
      try MotionPlan(
        keeping: Trim(from: 5, to: 6), of: Self.shown, from: Self.source, timeScale: 600, still: nil)
    }
    #expect(empty?.code == .invalidEdit)
    let cut = #expect(throws: EditError.self) {
      try MotionPlan(
        keeping: Trim(from: 0.4, to: 0.65), of: Self.shown, from: Self.source, timeScale: 600, still: 0.9)
    }
    #expect(cut?.code == .invalidEdit && cut?.remedy != nil)
    #expect(cut?.problem == "has its key photo at 0.9 s, which the trim would remove")
    for frame in [
      MotionPlan.Frame(10, duration: 1), .init(-1, duration: 1), .init(0, duration: 0),
      .init(blend: [], duration: 1),
    ] {
      #expect(throws: MediaError.self) {
        try MotionPlan(frames: [frame], of: Self.source, sound: nil, still: nil)
      }
    }
    #expect(throws: MediaError.self) { try MotionPlan(frames: [], of: Self.source, sound: nil, still: nil) }
  }
}
