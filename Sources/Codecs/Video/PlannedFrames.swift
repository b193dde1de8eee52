import Basics
internal import EditModel
internal import Rendering

/// The frames of a movie in the order in which a new one shows them.
///
/// The source is decoded forwards, from the last sample before a frame at which decoding can begin. Frames that are
/// shown again later are kept, as many as memory allows; where a plan goes back to others, decoding begins again.
final class PlannedFrames: @unchecked Sendable {
  private let decoder: VideoDecoder
  private let plan: MotionPlan?
  /// The last place of the plan at which each frame of the source is shown.
  private var lastPlaces: [Int: Int] = [:]
  private var kept: [Int: VideoDecoder.Frame] = [:]
  /// The number of the frame that the decoder gives next, at least.
  private var position = 0
  private var place = 0

  /// Bytes of frames that are kept.
  private static let mostBytes = 256 << 20

  /// - Parameters:
  ///   - decoder: the source.
  ///   - plan: what is shown; nil for every frame at its own time.
  init(_ decoder: VideoDecoder, _ plan: MotionPlan?) throws {
    self.decoder = decoder
    self.plan = plan
    guard let plan else { return }
    guard plan.source.count == decoder.frameCount else {
      throw MediaError.damaged("its sample tables contradict each other")
    }
    for (place, frame) in plan.frames.enumerated() {
      for part in frame.parts { lastPlaces[part.number] = place }
    }
  }

  /// The next frame in the order of showing, with its time in the new movie.
  ///
  /// - Returns: nil after the last one.
  func next() throws -> VideoDecoder.Frame? {
    guard let plan else { return try decoder.next() }
    guard plan.frames.indices.contains(place) else { return nil }
    let parts = plan.frames[place].parts
    var blend = parts.count > 1 ? FrameBlend() : nil
    var shown: VideoDecoder.Frame?
    for part in parts {
      let frame = try frame(part.number, of: plan)
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
    let sync = plan.source[number].syncSample
    if number < position {
      // Frames before this one that are still to be shown are decoded with it.
      kept = [:]
      var first = number
      let most = decoder.frameBytes > 0 ? max(1, Self.mostBytes / decoder.frameBytes) : 1
      while first > 0, number - first + 1 < most, lastPlaces[first - 1, default: -1] >= place { first -= 1 }
      try decoder.seek(to: plan.source[first].syncSample)
      position = first
    } else if number > position, sync > plan.source[position].syncSample {
      try decoder.seek(to: sync)
      position = number
    }
    let first = position
    while let frame = try decoder.next() {
      let found = plan.source.partitioningIndex { $0.time >= frame.time }
      guard found <= number, plan.source[found].time == frame.time else { break }
      position = found + 1
      let isShownAgain = lastPlaces[found, default: -1] >= (found == number ? place + 1 : place)
      if found >= first, isShownAgain, (kept.count + 1) * decoder.frameBytes <= Self.mostBytes {
        kept[found] = frame
      }
      if found == number { return frame }
    }
    throw MediaError.damaged("frame \(number + 1) of its video cannot be decoded")
  }
}
