import Basics
import EditModel
import Rendering

/// A function that rotates, crops and moves a source frame for a plan. The function must not write to the source frame.
///
/// The number identifies the frame in presentation order, counted from 0.
package typealias FramePlacing = @Sendable (_ frame: PlanarFrame, _ number: Int) throws -> PlanarFrame

/// The frames of a movie, in the order in which the new movie shows them.
///
/// The source is decoded forwards from the last sync sample before the requested frame. Frames that are shown again
/// later are cached if enough memory is available. If a plan returns to a frame that is not cached, decoding restarts
/// before that frame.
final class PlannedFrames: @unchecked Sendable {
  private let decoder: VideoDecoder
  private let plan: MotionPlan?
  private let placing: FramePlacing?
  /// The last position in the plan at which each source frame is shown.
  private var lastPlaces: [Int: Int] = [:]
  private var kept: [Int: VideoDecoder.Frame] = [:]
  /// A lower bound for the number of the next frame that the decoder will return.
  private var position = 0
  private var place = 0

  /// The maximum size of the cached frames in bytes.
  private static let mostBytes = 256 << 20

  /// - Parameters:
  ///   - decoder: The decoder for the source movie.
  ///   - plan: The frames to show, or nil to show every frame at its own time.
  ///   - place: A function that transforms each source frame before blending, or nil to leave the frames unchanged.
  init(_ decoder: VideoDecoder, _ plan: MotionPlan?, place: FramePlacing? = nil) throws {
    (self.decoder, self.plan, placing) = (decoder, plan, place)
    guard let plan else { return }
    guard plan.source.count == decoder.frameCount else {
      throw MediaError.damaged("the sample tables contradict each other")
    }
    for (place, frame) in plan.frames.enumerated() {
      for part in frame.parts { lastPlaces[part.number] = place }
    }
  }

  /// Returns the next frame in presentation order, with its time in the new movie.
  ///
  /// - Returns: The next frame, or nil after the last frame.
  func next() throws -> VideoDecoder.Frame? {
    guard let plan else { return try decoder.next() }
    guard plan.frames.indices.contains(place) else { return nil }
    let parts = plan.frames[place].parts
    var blend = parts.count > 1 ? FrameBlend() : nil
    var shown: VideoDecoder.Frame?
    for part in parts {
      var frame = try frame(part.number, of: plan)
      if let placing { frame.picture = try placing(frame.picture, part.number) }
      try blend?.add(frame.picture, share: part.share)
      shown = shown ?? frame
    }
    let time = plan.times[place]
    place += 1
    for part in parts where lastPlaces[part.number, default: 0] < place { kept[part.number] = nil }
    return shown.map {
      VideoDecoder.Frame(
        picture: blend?.picture ?? $0.picture, time: time, pixelAspect: $0.pixelAspect, isKey: $0.isKey)
    }
  }

  private func frame(_ number: Int, of plan: MotionPlan) throws -> VideoDecoder.Frame {
    if let frame = kept[number] { return frame }
    // Frames just before this frame are also decoded if they will still be shown.
    var opening = number
    while opening > 0, number - opening + 1 < room, isNeeded(opening - 1) { opening -= 1 }
    let sync = plan.source[opening].syncSample
    let goesBack = number < position
    if goesBack || sync > plan.source[position].syncSample {
      if goesBack { kept = [:] }
      try decoder.seek(to: sync)
      position = opening
    }
    var wanted: VideoDecoder.Frame?
    let first = position
    while wanted == nil || (goesBack && kept.count < room && isNeeded(position)),
      let frame = try decoder.next()
    {
      let found = plan.source.partitioningIndex { $0.time >= frame.time }
      guard plan.source.indices.contains(found), plan.source[found].time == frame.time,
        found <= number || wanted != nil
      else { break }
      position = found + 1
      if found == number { wanted = frame }
      let isShownAgain = found == number ? lastPlaces[found, default: -1] > place : isNeeded(found)
      if found >= first, isShownAgain, kept.count < room { kept[found] = frame }
    }
    guard let wanted else { throw MediaError.damaged("frame \(number + 1) of the video cannot be decoded") }
    return wanted
  }

  /// Returns whether a frame is shown at the current position in the plan or later.
  private func isNeeded(_ number: Int) -> Bool { lastPlaces[number, default: -1] >= place }

  /// The maximum number of cached frames.
  private var room: Int {
    decoder.frameBytes > 0 ? max(1, Self.mostBytes / decoder.frameBytes) : .max
  }
}
