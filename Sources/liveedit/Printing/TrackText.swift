import LiveEdit

/// A track in lines.
enum TrackText {
  /// The lines, the most important ones first.
  static func lines(_ track: TrackInspection) -> [String] {
    var lines: [String] = []
    let name = track.handlerName.isEmpty ? "" : " “\(track.handlerName)”"
    var head = "\(track.handler)\(name) \(track.format)"
    if let video = track.video { head += " \(size(video.storedSize))" }
    if let sound = track.sound {
      head +=
        " \(TextNumber.short(sound.sampleRate)) Hz, \(TextNumber.count(sound.channels, "channel")), \(sound.bits) bit"
    }
    lines.append(head + (track.isEnabled ? "" : ", switched off"))
    let noun = track.video == nil ? "sample" : "frame"
    lines.append(
      "\(TextNumber.count(track.sampleCount, noun)), \(TextNumber.short(track.seconds)) s (\(track.duration) ticks of "
        + "1/\(track.timeScale) s), language \(track.language), \(TextNumber.bytes(track.mediaBytes))")
    if let video = track.video { lines += self.video(video) }
    if !track.editList.isEmpty {
      let entries = track.editList.map { entry in
        let rate = entry.rate == 1 ? "" : " at rate \(TextNumber.short(entry.rate))"
        return entry.mediaTime < 0
          ? "pause of \(entry.duration)" : "\(entry.duration) from \(entry.mediaTime)\(rate)"
      }
      lines.append("edit list: " + entries.joined(separator: ", "))
    }
    for reference in track.references {
      lines.append("\(reference.type) → track " + reference.tracks.map { String($0) }.joined(separator: ", "))
    }
    for key in track.timedKeys {
      let count = key.sampleCount.map { " in \(TextNumber.count($0, "sample"))" } ?? ""
      let value = key.firstValue.map { ": \($0)" } ?? ""
      lines.append("\(key.localID) \(key.name) (\(key.dataType))\(count)\(value)")
    }
    for key in track.keys { lines.append("\(key.name) (\(key.typeName)): \(key.value)") }
    if !track.unknownAtoms.isEmpty {
      lines.append("unknown: " + track.unknownAtoms.joined(separator: ", "))
    }
    return lines
  }

  private static func video(_ video: VideoInspection) -> [String] {
    var lines: [String] = []
    let isVariable = video.leastFrameRate != video.greatestFrameRate
    let range =
      isVariable
      ? " (\(TextNumber.short(video.leastFrameRate)) to \(TextNumber.short(video.greatestFrameRate)))" : ""
    lines.append(
      "\(TextNumber.short(video.frameRate)) frames/s\(range), \(TextNumber.count(video.syncFrameCount, "sync frame"))"
        + (video.isReordered ? ", reordered" : ""))
    let corner = video.origin.map(TextNumber.short).joined(separator: ", ")
    let origin = video.origin.allSatisfy { abs($0) < 1.5 } ? "" : ", laid down at (\(corner))"
    let matrix =
      video.orientation.map { "orientation \($0), \(InspectionText.words(orientation: $0))" }
      ?? "matrix " + video.matrix.map(TextNumber.short).joined(separator: " ")
    lines.append(matrix + origin + ", track size \(size(video.trackSize))")
    var shape: [String] = []
    if let clap = video.cleanAperture {
      var text = "clap \(TextNumber.short(clap.width))x\(TextNumber.short(clap.height))"
      if clap.horizontalOffset != 0 || clap.verticalOffset != 0 {
        text += " at \(TextNumber.short(clap.horizontalOffset)), \(TextNumber.short(clap.verticalOffset))"
      }
      shape.append(text)
    }
    shape += video.trackApertures.sorted { $0.key < $1.key }.map { "\($0.key) \(size($0.value))" }
    if let aspect = video.pixelAspect, aspect.count == 2 { shape.append("pasp \(aspect[0]):\(aspect[1])") }
    if let color = video.color { shape.append(Self.color(color)) }
    if !shape.isEmpty { lines.append(shape.joined(separator: ", ")) }
    return lines
  }

  private static func color(_ color: VideoColor) -> String {
    guard let primaries = color.primaries, let transfer = color.transfer, let matrix = color.matrix else {
      return "colr \(color.type)"
    }
    let range = color.isFullRange.map { $0 ? " full range" : " limited range" } ?? ""
    return "colr \(color.type) \(primaries)/\(transfer)/\(matrix)\(range)"
  }

  private static func size(_ size: VideoInspection.Size) -> String {
    "\(TextNumber.short(size.width))x\(TextNumber.short(size.height))"
  }
}
