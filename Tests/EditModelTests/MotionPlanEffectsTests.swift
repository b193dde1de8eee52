import Basics
import EditModel
import Testing

/// Tests of the plans for bounces and loops.
@Suite struct MotionPlanEffectsTests {
  /// Ten frames of different durations, at 600 ticks per second.
  private let source: [SourceFrame] = {
    var time: Int64 = 0
    return (0..<10).map { number in
      defer { time += Int64(20 + number) }
      return SourceFrame(
        time: time, duration: Int64(20 + number), seconds: Double(time) / 600, syncSample: 0)
    }
  }()

  private func plan(_ numbers: Range<Int>, still: Double?) throws -> MotionPlan {
    try MotionPlan(
      frames: numbers.map { .init($0, duration: source[$0].duration) }, of: source, sound: 0..<1, still: still
    )
  }

  @Test func aBounceComesBackInTheSameTimes() throws {
    let bounce = try plan(2..<8, still: 0.1).bounced()
    #expect(bounce.frames.map(\.parts[0].number) == [2, 3, 4, 5, 6, 7, 6, 5, 4, 3])
    #expect(bounce.frames.map(\.duration) == [22, 23, 24, 25, 26, 27, 25, 24, 23, 22])
    #expect(bounce.sound == nil && bounce.still == 0.1)
    #expect(try plan(0..<3, still: nil).bounced().frames.map(\.parts[0].number) == [0, 1, 2, 1])
  }

  @Test func aLoopFadesIntoWhatPrecedesIt() throws {
    // The fifth frame begins at 86 ticks; the photo is two ticks later.
    let plan = try plan(0..<10, still: 88.0 / 600)
    #expect(plan.keyFrame(timeScale: 600) == 4)
    let loop = try plan.looped(3...8, fade: 2, from: 6, timeScale: 600)
    #expect(loop.frames.map { $0.parts.map(\.number) } == [[6], [7, 1], [8, 2], [3], [4], [5]])
    #expect(loop.frames.map(\.duration) == [26, 27, 28, 23, 24, 25])
    let shares = loop.frames.map { $0.parts.map { ($0.share * 3).rounded() } }
    #expect(shares == [[3], [2, 1], [1, 2], [3], [3], [3]])
    // Four frames are shown before the fifth frame.
    let still = try #require(loop.still)
    #expect(loop.sound == nil && abs(still - Double(26 + 27 + 28 + 23 + 2) / 600) < 1e-9)
    #expect(
      try plan.looped(3...8, fade: 0, from: 3, timeScale: 600).frames.allSatisfy { $0.parts.count == 1 })
  }

  @Test func impossibleLoopsAreRefused() throws {
    let plan = try plan(0..<10, still: nil)
    #expect(plan.keyFrame(timeScale: 600) == nil)
    for (part, fade, start) in [(3...10, 1, 3), (3...8, 4, 3), (3...8, 6, 3), (3...8, 1, 9), (3...8, -1, 3)] {
      #expect(throws: MediaError.self) { try plan.looped(part, fade: fade, from: start, timeScale: 600) }
    }
  }

  @Test func effectsAreCopiedAndKeptInPartialEdits() throws {
    var edit = Edit(orientation: .right)
    edit.motion.effect = .loop
    #expect(!edit.isTurnOnly)
    #expect(try Motion.neutral.taking([.effect], of: edit.motion).effect == .loop)
    #expect(try edit.motion.taking([.sound], of: .neutral).effect == .loop)
    #expect(MotionPart.portable == [.sound, .effect])
    var partial = PartialEdit()
    partial.effect = .bounce
    #expect(partial.applied(to: edit).motion.effect == .bounce && partial.scaled(by: 0.3).effect == .bounce)
  }
}
