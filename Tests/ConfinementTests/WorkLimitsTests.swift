import EditModel
import Testing

@Suite struct WorkLimitsTests {
  /// Limits grow with the work and remain finite numbers for any values in headers.
  @Test func limitsFollowTheWork() {
    var small = WorkLimits.Work()
    (small.stillPixels, small.framePixels, small.frames, small.bytes) = (12_000_000, 2_073_600, 90, 6 << 20)
    let (none, some) = (WorkLimits(), WorkLimits(small))
    #expect(some.memory > none.memory && some.seconds > none.seconds && some.fileSize > none.fileSize)
    // A 48-megapixel photo needs 16 bytes per pixel, and a 4K movie needs memory for x265's lookahead.
    #expect(some.memory >= 16 * small.stillPixels + 60 * 3 * small.framePixels)
    var huge = small
    (huge.stillPixels, huge.framePixels, huge.frames, huge.bytes) = (.max, .max, .max, .max)
    let most = WorkLimits(huge, processors: .max)
    #expect(most.memory > some.memory && most.seconds > some.seconds && most.fileSize > some.fileSize)
    // The headers of an untrusted file do not alone decide how much of the computer's resources a job may use.
    let here = WorkLimits(huge, processors: 8, computersMemory: 8 << 30)
    #expect(here.memory <= 11 << 30 && here.seconds <= 8 * 24 * 3600)
    huge.bytes = 1 << 20
    #expect(WorkLimits(huge).fileSize <= 66 << 30)
    var broken = small
    (broken.stillPixels, broken.framePixels, broken.frames, broken.bytes) = (-1, .min, -5, -1)
    #expect(WorkLimits(broken) == none)
  }
}
