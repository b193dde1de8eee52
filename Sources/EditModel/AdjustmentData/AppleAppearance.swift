import Basics

/// Descriptions of the changes that Apple's adjustments make to light, colour and detail.
enum AppleAppearance {
  /// A kind of adjustment, and the values that describe it.
  private struct Kind {
    var title: Message
    /// The values to describe and their names, in display order. A value of 0 changes nothing and is left out.
    var named: KeyValuePairs<String, Message> = [:]
    /// The key of a value that is shown as text; nil if the adjustment has no such value.
    var text: String?
    /// The key of a list whose length is shown, and the text for that length; nil if the adjustment has no such list.
    var list: (key: String, words: @Sendable (Int) -> Message)?
    /// Whether the adjustment changes only the movie, without changing the appearance of its frames.
    var isOfMovie = false
  }

  /// The kinds of adjustments, by identifier.
  private static let kinds: [String: Kind] = [
    "SmartTone": Kind(
      title: "light",
      named: [
        "inputLight": "light", "offsetLocalLight": "brilliance", "offsetExposure": "exposure",
        "offsetHighlights": "highlights", "offsetShadows": "shadows", "offsetBrightness": "brightness",
        "offsetContrast": "contrast", "offsetBlackPoint": "black point",
        "inputRawHighlights": "raw highlights",
      ]),
    "SmartColor": Kind(
      title: "colour",
      named: [
        "inputColor": "colour", "offsetSaturation": "saturation", "offsetContrast": "vibrance",
        "offsetCast": "colour cast",
      ]),
    "SmartBlackAndWhite": Kind(
      title: "black and white",
      named: [
        "offsetStrength": "intensity", "inputBlackAndWhite": "hue", "offsetNeutralGamma": "neutrals",
        "offsetTone": "tone", "offsetGrain": "grain",
      ]),
    "WhiteBalance": Kind(
      title: "white balance",
      named: [
        "temperature": "temperature", "tint": "tint", "warmTemp": "warmth", "warmTint": "warm tint",
        "faceStrength": "face-based strength", "faceWarmth": "face-based warmth",
        "grayWarmth": "grey-based warmth",
      ]),
    "Effect": Kind(title: "filter", named: ["effectIntensity": "intensity"], text: "effectName"),
    "Grain": Kind(title: "grain", named: ["amount": "amount", "iso": "ISO"]),
    "DGVignetteEffectOperation": Kind(
      title: "vignette",
      named: ["inputIntensity": "strength", "inputRadius": "radius", "inputFalloff": "softness"]),
    "DGDefinition2Operation": Kind(title: "definition", named: ["inputIntensity": "intensity"]),
    "RKNoiseReductionOperation": Kind(
      title: "noise reduction", named: ["inputRadius": "radius", "inputEdgeDetail": "edge detail"]),
    "RKProSharpenOperation": Kind(
      title: "sharpening",
      named: ["inputSharpness": "intensity", "inputEdgeScale": "edge scale", "inputFalloff": "falloff"]),
    "RKLevelsOperation": Kind(title: "levels"),
    "RKCurvesOperation": Kind(title: "curves"),
    "RKSelectiveColorOperation": Kind(
      title: "selective colour", list: ("corrections", { .plural($0, "\($0) colour", "\($0) colours") })),
    "RKRetouchOperation": Kind(
      title: "retouching", list: ("inputStrokes", { .plural($0, "\($0) stroke", "\($0) strokes") })),
    "Inpaint": Kind(title: "clean-up", list: ("operations", { .plural($0, "\($0) area", "\($0) areas") })),
    "InpaintMasks": Kind(title: "clean-up masks"),
    "RKRedEyeOperation": Kind(
      title: "red-eye correction", list: ("inputSpots", { .plural($0, "\($0) spot", "\($0) spots") })),
    "RedEyeBB": Kind(title: "red-eye correction"),
    "DepthEffect": Kind(title: "background blur", named: ["aperture": "aperture"]),
    "PortraitEffect": Kind(
      title: "portrait lighting", named: ["strength": "strength"], text: "portraitEffectFilterName"),
    "PortraitVideo": Kind(title: "movie background blur"),
    "SemanticEnhance": Kind(
      title: "scene-based enhancement", named: ["intensity": "intensity"], text: "sceneLabel"),
    "SemanticStyle": Kind(
      title: "photographic style",
      named: ["tone": "tone", "color": "colour", "intensity": "intensity"], text: "cast"),
    "HighResolutionFusion": Kind(title: "multi-exposure fusion"),
    "RKRawDecodeOperation": Kind(title: "raw decoding"),
    "DGRAWReduceNoiseOperation": Kind(title: "raw noise reduction"),
    "VideoStabilize": Kind(title: "stabilisation", isOfMovie: true),
    "VideoPosterFrame": Kind(title: "poster frame", isOfMovie: true),
    "VideoCrossfadeLoop": Kind(title: "cross-fade loop", isOfMovie: true),
    "CinematicAudio": Kind(title: "audio mix", isOfMovie: true),
  ]

  /// The kinds of adjustments that are converted if they are switched on, and described if they are switched off.
  private static let exactKinds: [String: Message] = [
    "Crop": "crop", "Orientation": "orientation", "LivePhotoKeyFrame": "key photo", "Trim": "trim",
    "Mute": "mute", "AutoLoop": "loop", "SlowMotion": "slow motion",
  ]

  /// Returns the readable name of a kind of adjustment; for an unknown kind, its identifier.
  static func title(of identifier: String) -> Message {
    kinds[identifier]?.title ?? exactKinds[identifier] ?? "“\(short(identifier))”"
  }

  /// Returns whether an adjustment changes only the movie without changing the appearance of its frames, and has no
  /// equivalent in an edit.
  static func isOfMovie(_ identifier: String) -> Bool { kinds[identifier]?.isOfMovie ?? false }

  /// Returns a phrase that describes an adjustment's changes.
  static func words(of adjustment: AdjustmentInspection.Adjustment) -> Message {
    guard let kind = kinds[adjustment.identifier] else {
      return "\(title(of: adjustment.identifier)): unknown"
    }
    let settings = adjustment.settings
    // Adjustments that originate from Aperture store their values one level deeper.
    func stored(_ key: String) -> JSONValue? { settings[key] ?? settings["inputKeys"]?[key] }
    var parts: [Message] = []
    if let text = kind.text.flatMap({ stored($0)?.text }) { parts.append("“\(short(text))”") }
    for (key, name) in kind.named {
      guard let number = stored(key)?.number, number != 0 else { continue }
      parts.append("\(name) \(signed(number))")
    }
    if let list = kind.list, case .array(let elements)? = stored(list.key) {
      parts.append(list.words(elements.count))
    }
    return parts.isEmpty ? kind.title : "\(kind.title): \(parts.joined(separator: ", "))"
  }

  /// Returns a number with up to three decimal places; nil if the number is too large to be meaningful.
  static func text(_ number: Double) -> String? {
    guard abs(number) < 1e9 else { return nil }
    return JSONValue.decimal(Int((abs(number) * 1000).rounded()), digits: 3).canonicalText
  }

  /// Returns a number with its sign.
  static func signed(_ number: Double) -> Message {
    guard let text = text(number) else { return "out of range" }
    return "\(decimal: (number < 0 ? "−" : "+") + text)"
  }

  /// Returns a text from a file, shortened if it is longer than any text that Photos writes.
  static func short(_ text: String) -> String {
    let most = 60
    return text.count <= most ? text : text.prefix(most) + "…"
  }
}
