import Basics

/// The parts of Apple's adjustment data that an ``Edit`` can express. Two formats are read: `com.apple.photo`, which
/// Photos and the camera write, and `com.apple.video.slomo`.
///
/// The names of adjustments and of their values were taken from real files. Photos applies the adjustments to the
/// stored picture: first light and colour, then straightening and crop, and finally the orientation, which includes the
/// photo's Exif orientation. If the data contains several adjustments of the same kind, only the last applies.
package struct AppleAdjustments: Hashable, Sendable {
  /// The original that the adjustment data applies to.
  package struct Original: Hashable, Sendable {
    /// The width of the stored picture in pixels.
    package var width: Int
    /// The height of the stored picture in pixels.
    package var height: Int
    /// The original's own orientation, which transforms the stored picture into the displayed picture.
    package var orientation: Orientation

    /// - Parameters:
    ///   - width: The width of the stored picture in pixels.
    ///   - height: The height of the stored picture in pixels.
    ///   - orientation: The original's own orientation.
    package init(width: Int, height: Int, orientation: Orientation = .up) {
      (self.width, self.height, self.orientation) = (width, height, orientation)
    }
  }

  /// The part of the adjustments that has the same effect in Photos and in liveedit: orientation, straightening, crop,
  /// and changes to the movie's timing and audio.
  package private(set) var edit = Edit.identity
  /// Whether ``edit`` reproduces the data's geometry completely, apart from rounding to the steps of an edit.
  package private(set) var hasExactGeometry = true
  /// Whether the data changes light, colour or detail. Such changes are not part of ``edit``.
  package private(set) var changesAppearance = false
  /// Phrases such as “light: exposure +0.25”, one for each change to light, colour or detail, and for each adjustment
  /// that is switched off.
  package private(set) var words: [Message] = []
  /// One sentence for each part that could not be read, including the reason.
  package private(set) var notes: [Message] = []

  private var trim: Trim?
  private var keyPhoto: Double?

  /// The maximum number of adjustments that are read. Photos has 40 kinds of adjustments.
  private static let most = 200

  /// Reads adjustment data.
  ///
  /// - Parameters:
  ///   - adjustment: The adjustment data.
  ///   - original: The photo that the data applies to, or the movie if there is no photo.
  /// - Returns: nil if the data is in another format or is damaged.
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
    // The camera writes 0 if the orientation is unchanged.
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

  /// Returns the orientation for an Exif orientation number. If the number is not valid, adds a note and returns the
  /// current orientation.
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
      // The geometry of an edit applies to the rotated picture.
      edit.geometry = try crop.geometry().turned(by: orientation)
    } catch {
      hasExactGeometry = false
      notes.append("The crop was not imported: \(error.reason).")
    }
  }
}

/// The adjustments to timing and audio.
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

  /// Sets the effect for a flavour. If the data states no flavour, Photos uses the loop.
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
      // The trim excludes the key photo. In that case, the trim is applied and the key photo is not, because in Photos,
      // too, the trim is the later change.
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
      notes.append("Slow motion at \(decimal: rate) of normal speed was not imported.")
    case (false, nil): notes.append("Slow motion from \(places) was not imported.")
    case (false, let rate?):
      notes.append("Slow motion from \(places) at \(decimal: rate) of normal speed was not imported.")
    }
  }

  private static func trim(_ start: JSONValue?, _ end: JSONValue?) -> Trim? {
    guard let start = seconds(start), let end = seconds(end) else { return nil }
    return try? Trim(from: start, to: end)
  }

  /// Returns a Core Media time in seconds: its value divided by its timescale. Flag 1 marks a valid time; flags 4, 8
  /// and 16 mark an infinite or indefinite time. Returns nil if the time cannot occur in a movie.
  private static func seconds(_ time: JSONValue?) -> Double? {
    guard let value = time?["value"]?.number, let scale = time?["timescale"]?.number, scale >= 1,
      value.isFinite, scale.isFinite
    else { return nil }
    if case .integer(let flags)? = time?["flags"], flags & 1 == 0 || flags & 28 != 0 { return nil }
    return 0...Double(Motion.longest) / 1_000_000 ~= value / scale ? value / scale : nil
  }
}
