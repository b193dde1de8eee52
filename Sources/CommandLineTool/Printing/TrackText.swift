import Basics
import Workflows

/// Describes a track as lines of text.
enum TrackText {
  /// Returns the lines that describe a track, with the most important lines first.
  static func lines(_ track: TrackInspection) -> [Message] {
    var lines: [Message] = []
    let name = track.handlerName.isEmpty ? "" : " “\(track.handlerName)”"
    var head: Message = "\(track.handler)\(name) \(track.format)"
    if let video = track.video { head = "\(head) \(size(video.storedSize))" }
    if let sound = track.sound {
      head =
        "\(head) \(decimal: TextNumber.short(sound.sampleRate)) Hz, \(TextNumber.count(sound.channels, "channel")), \(sound.bits) bit"
    }
    lines.append(track.isEnabled ? head : "\(head), disabled")
    let count =
      track.video == nil
      ? TextNumber.count(track.sampleCount, "sample") : TextNumber.count(track.sampleCount, "frame")
    lines.append(
      "\(count), \(decimal: TextNumber.short(track.seconds)) s (\(track.duration) ticks of 1/\(track.timeScale) s), "
        + "language \(track.language), \(TextNumber.bytes(track.mediaBytes))")
    if let video = track.video { lines += self.video(video) }
    if !track.editList.isEmpty {
      let entries = track.editList.map { entry -> Message in
        if entry.mediaTime < 0 { return "pause of \(entry.duration)" }
        return entry.rate == 1
          ? "\(entry.duration) from \(entry.mediaTime)"
          : "\(entry.duration) from \(entry.mediaTime) at rate \(decimal: TextNumber.short(entry.rate))"
      }
      lines.append("edit list: \(entries.joined(separator: ", "))")
    }
    for reference in track.references {
      let tracks = reference.tracks.map { String($0) }.joined(separator: ", ")
      lines.append("\(reference.type) → track \(tracks)")
    }
    for key in track.timedKeys {
      let count: Message = key.sampleCount.map { " in \(TextNumber.count($0, "sample"))" } ?? ""
      let value = key.firstValue.map { ": \($0)" } ?? ""
      lines.append("\(key.localID) \(key.name) (\(key.dataType))\(count)\(value)")
    }
    for key in track.keys { lines.append("\(key.name) (\(key.typeName)): \(key.value)") }
    if !track.unknownAtoms.isEmpty {
      lines.append("unknown: \(track.unknownAtoms.joined(separator: ", "))")
    }
    return lines
  }

  private static func video(_ video: VideoInspection) -> [Message] {
    var lines: [Message] = []
    let (least, greatest) = (
      TextNumber.short(video.leastFrameRate), TextNumber.short(video.greatestFrameRate)
    )
    let range: Message =
      video.leastFrameRate == video.greatestFrameRate ? "" : " (\(decimal: least) to \(decimal: greatest))"
    let sync = TextNumber.count(video.syncFrameCount, "sync frame")
    let rate = TextNumber.short(video.frameRate)
    lines.append(
      video.isReordered
        ? "\(decimal: rate) frames/s\(range), \(sync), reordered"
        : "\(decimal: rate) frames/s\(range), \(sync)")
    let corner = video.origin.map(TextNumber.short).joined(separator: ", ")
    let origin: Message = video.origin.allSatisfy { abs($0) < 1.5 } ? "" : ", positioned at (\(corner))"
    let matrix: Message =
      video.orientation.map { "orientation \($0), \(InspectionText.words(orientation: $0))" }
      ?? "matrix \(video.matrix.map(TextNumber.short).joined(separator: " "))"
    lines.append("\(matrix)\(origin), track size \(size(video.trackSize))")
    var shape: [Message] = []
    if let clap = video.cleanAperture {
      let size = "\(TextNumber.short(clap.width))x\(TextNumber.short(clap.height))"
      let (x, y) = (TextNumber.short(clap.horizontalOffset), TextNumber.short(clap.verticalOffset))
      shape.append(
        clap.horizontalOffset == 0 && clap.verticalOffset == 0 ? "clap \(size)" : "clap \(size) at \(x), \(y)"
      )
    }
    for (name, aperture) in video.trackApertures.sorted(by: { $0.key < $1.key }) {
      shape.append("\(name) \(size(aperture))")
    }
    if let aspect = video.pixelAspect, aspect.count == 2 { shape.append("pasp \(aspect[0]):\(aspect[1])") }
    if let color = video.color { shape.append(Self.color(color)) }
    if !shape.isEmpty { lines.append(shape.joined(separator: ", ")) }
    return lines
  }

  private static func color(_ color: VideoColor) -> Message {
    guard let primaries = color.primaries, let transfer = color.transfer, let matrix = color.matrix else {
      return "colr \(color.type)"
    }
    let codes = "\(primaries)/\(transfer)/\(matrix)"
    return switch color.isFullRange {
    case true?: "colr \(color.type) \(codes) full range"
    case false?: "colr \(color.type) \(codes) limited range"
    case nil: "colr \(color.type) \(codes)"
    }
  }

  private static func size(_ size: VideoInspection.Size) -> String {
    "\(TextNumber.short(size.width))x\(TextNumber.short(size.height))"
  }
}
