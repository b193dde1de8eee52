import Basics

/// Apple's adjustment data, read as far as an ``Edit`` can say the same: `com.apple.photo`, which Photos and the camera
/// write, and `com.apple.video.slomo`.
///
/// The names of adjustments and of their values are those of the files in the wild. Photos applies them to the picture as
/// it is stored: light and colour first, then straightening and crop, and at last the orientation, which includes that of
/// the photo's Exif. An adjustment of one kind replaces an earlier one of that kind.
package struct AppleAdjustments: Hashable, Sendable {
  /// The original that the data is about.
  package struct Original: Hashable, Sendable {
    /// Columns as they are stored.
    package var width: Int
    /// Rows as they are stored.
    package var height: Int
    /// Its own orientation, which takes the stored picture to the displayed one.
    package var orientation: Orientation

    /// - Parameters:
    ///   - width: columns as they are stored.
    ///   - height: rows as they are stored.
    ///   - orientation: its own orientation.
    package init(width: Int, height: Int, orientation: Orientation = .up) {
      (self.width, self.height, self.orientation) = (width, height, orientation)
    }
  }

  /// The part that is the same in both programs: orientation, straightening and crop, and the part of time and sound.
  package private(set) var edit = Edit.identity
  /// True if ``edit`` has all that the data says of geometry, none of it rounded by more than the edit's own steps.
  package private(set) var hasExactGeometry = true
  /// True if the data says something of light, colour or detail, which ``edit`` has nothing of.
  package private(set) var changesAppearance = false
  /// The data's words on light, colour and detail, and what is switched off: a phrase each, as in “light: exposure +0.25”.
  package private(set) var words: [Message] = []
  /// Parts that could not be taken, and why: a sentence each.
  package private(set) var notes: [Message] = []

  private var trim: Trim?
  private var keyPhoto: Double?

  /// The most adjustments that are read. Photos knows 40 kinds.
  private static let most = 200

  /// Reads adjustment data.
  ///
  /// - Parameters:
  ///   - adjustment: the data.
  ///   - original: the photo that it is about, or the movie where there is no photo.
  /// - Returns: nil for data of another format, and for data that is damaged.
  package init?(_ adjustment: AdjustmentData, of original: Original) {
    let decoded = AdjustmentInspection.decode(adjustment)
    guard decoded.reading == .shown, let content = decoded.content else { return nil }
    switch adjustment.formatIdentifier {
    case AdjustmentInspection.photoFormat: read(content, original)
    case AdjustmentInspection.slowMotionFormat: slowMotion(content["slowMotion"] ?? .null)
    default: return nil
    }
  }

  private mutating func read(_ content: JSONValue, _ original: Original) {
    let adjustments = AdjustmentInspection.adjustments(in: content, isOwn: false)
    if adjustments.count > Self.most {
      hasExactGeometry = false
      notes.append("Only the first \(Self.most) of \(adjustments.count) adjustments were read.")
    }
    var orientation = original.orientation
    // Zero is what the camera writes, which turns nothing.
    if let stored = content["metadata"]?["orientation"], stored != .integer(0) {
      orientation = turned(stored, orientation)
    }
    var crop: AdjustmentInspection.Adjustment?
    for adjustment in adjustments.prefix(Self.most) {
      guard adjustment.isEnabled else {
        words.append("\(AppleAppearance.title(of: adjustment.identifier)): off")
        continue
      }
      switch adjustment.identifier {
      case "Crop": crop = adjustment
      case "Orientation":
        if let stored = adjustment.settings["value"] { orientation = turned(stored, orientation) }
      default: readTime(adjustment)
      }
    }
    edit.orientation = original.orientation.inverse.then(orientation)
    if let crop { self.crop(crop.settings, content["metadata"] ?? .null, original, orientation) }
    setMotion()
  }

  /// The orientation that a number says, as Exif counts them.
  private mutating func turned(_ stored: JSONValue, _ standing: Orientation) -> Orientation {
    if case .integer(let number) = stored, let said = Orientation(rawValue: Int(clamping: number)) {
      return said
    }
    hasExactGeometry = false
    notes.append("The orientation was not imported, because its value is not valid.")
    return standing
  }

  private mutating func crop(
    _ settings: JSONValue, _ metadata: JSONValue, _ original: Original,
    _ orientation: Orientation
  ) {
    do throws(AppleCrop.Refusal) {
      let crop = try AppleCrop(settings, metadata, of: original)
      // The geometry of an edit is seen on the turned picture.
      edit.geometry = try crop.geometry().turned(by: orientation)
    } catch {
      hasExactGeometry = false
      notes.append("The crop was not imported: \(error.reason).")
    }
  }
}

/// Time and sound.
extension AppleAdjustments {
  private mutating func readTime(_ adjustment: AdjustmentInspection.Adjustment) {
    let settings = adjustment.settings
    switch adjustment.identifier {
    case "LivePhotoKeyFrame":
      keyPhoto = Self.seconds(settings["time"])
      if keyPhoto == nil { notes.append("The key photo was not imported, because its time is not valid.") }
    case "Trim":
      trim = Self.trim(settings["startTime"], settings["endTime"])
      if trim == nil { notes.append("The trim was not imported, because its times are not valid.") }
    case "Mute": try? edit.motion.setSoundFactor(0)
    case "AutoLoop": effect(settings["flavor"]?.text)
    case "SlowMotion": slowMotion(settings)
    case let kind where AppleAppearance.isOfMovie(kind):
      notes.append("The movie's \(AppleAppearance.title(of: kind)) was not imported.")
    default:
      changesAppearance = true
      words.append(AppleAppearance.words(of: adjustment))
    }
  }

  /// The effect of a flavour; Photos takes a loop where none is said.
  private mutating func effect(_ flavor: String?) {
    switch flavor {
    case "AutoLoop", nil: edit.motion.effect = .loop
    case "Mirror": edit.motion.effect = .bounce
    case "LongExposure": edit.motion.effect = .longExposure
    case "None": edit.motion.effect = .none
    case let flavor?:
      notes.append("The effect “\(AppleAppearance.short(flavor))” was not imported, because it is unknown.")
    }
  }

  private mutating func setMotion() {
    do {
      try edit.motion.set(trim: trim, keyPhoto: keyPhoto)
    } catch {
      // A key photo that the trim cuts off: the trim is the later of the two in Photos, too.
      try? edit.motion.setTrim(trim)
      notes.append("The key photo was not imported, because it lies outside the trimmed range.")
    }
  }

  private mutating func slowMotion(_ settings: JSONValue) {
    guard case .array(let regions)? = settings["regions"], !regions.isEmpty else {
      notes.append("The edit contains slow motion without a time range, which was not imported.")
      return
    }
    let rate = settings["rate"]?.number.flatMap { AppleAppearance.text($0) }
    let parts = regions.prefix(20).compactMap { region -> Message? in
      let range = region["timeRange"]
      guard let start = Self.seconds(range?["start"]), let length = Self.seconds(range?["duration"]),
        let first = AppleAppearance.text(start), let last = AppleAppearance.text(start + length)
      else { return nil }
      return "\(decimal: first) s to \(decimal: last) s"
    }
    let places = parts.joined(separator: ", ")
    switch (parts.isEmpty, rate) {
    case (true, nil): notes.append("Slow motion was not imported.")
    case (true, let rate?):
      notes.append("Slow motion at \(decimal: rate) of the speed was not imported.")
    case (false, nil): notes.append("Slow motion from \(places) was not imported.")
    case (false, let rate?):
      notes.append("Slow motion from \(places) at \(decimal: rate) of the speed was not imported.")
    }
  }

  private static func trim(_ start: JSONValue?, _ end: JSONValue?) -> Trim? {
    guard let start = seconds(start), let end = seconds(end) else { return nil }
    return try? Trim(from: start, to: end)
  }

  /// The seconds of a time as Core Media writes it: value divided by timescale; of the flags, 1 says that the time is valid,
  /// 4, 8 and 16 that it is infinite or indefinite. Nil for what is no time of a movie.
  private static func seconds(_ time: JSONValue?) -> Double? {
    guard let value = time?["value"]?.number, let scale = time?["timescale"]?.number, scale >= 1,
      value.isFinite, scale.isFinite
    else { return nil }
    if case .integer(let flags)? = time?["flags"], flags & 1 == 0 || flags & 28 != 0 { return nil }
    return 0...Double(Motion.longest) / 1_000_000 ~= value / scale ? value / scale : nil
  }
}
