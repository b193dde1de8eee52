/// The most common sliders as properties. ``Edit/subscript(_:)`` provides access to all other sliders.
///
///     var edit = Edit.identity
///     edit.rotate(.right)
///     edit.exposure = 0.3
extension Edit {
  /// Rotates or mirrors the picture after the rest of the edit has been applied.
  ///
  /// - Parameter further: The rotation or mirroring to add.
  public mutating func rotate(_ further: Orientation) { self = turned(further) }

  /// The value of ``Parameter/exposure``.
  public var exposure: Double {
    get { self[.exposure] }
    set { self[.exposure] = newValue }
  }

  /// The value of ``Parameter/brilliance``.
  public var brilliance: Double {
    get { self[.brilliance] }
    set { self[.brilliance] = newValue }
  }

  /// The value of ``Parameter/whites``.
  public var whites: Double {
    get { self[.whites] }
    set { self[.whites] = newValue }
  }

  /// The value of ``Parameter/highlights``.
  public var highlights: Double {
    get { self[.highlights] }
    set { self[.highlights] = newValue }
  }

  /// The value of ``Parameter/shadows``.
  public var shadows: Double {
    get { self[.shadows] }
    set { self[.shadows] = newValue }
  }

  /// The value of ``Parameter/brightness``.
  public var brightness: Double {
    get { self[.brightness] }
    set { self[.brightness] = newValue }
  }

  /// The value of ``Parameter/contrast``.
  public var contrast: Double {
    get { self[.contrast] }
    set { self[.contrast] = newValue }
  }

  /// The value of ``Parameter/blackPoint``.
  public var blackPoint: Double {
    get { self[.blackPoint] }
    set { self[.blackPoint] = newValue }
  }

  /// The value of ``Parameter/dehaze``.
  public var dehaze: Double {
    get { self[.dehaze] }
    set { self[.dehaze] = newValue }
  }

  /// The value of ``Parameter/saturation``.
  public var saturation: Double {
    get { self[.saturation] }
    set { self[.saturation] = newValue }
  }

  /// The value of ``Parameter/vibrance``.
  public var vibrance: Double {
    get { self[.vibrance] }
    set { self[.vibrance] = newValue }
  }

  /// The value of ``Parameter/temperature``.
  public var temperature: Double {
    get { self[.temperature] }
    set { self[.temperature] = newValue }
  }

  /// The value of ``Parameter/warmth``.
  public var warmth: Double {
    get { self[.warmth] }
    set { self[.warmth] = newValue }
  }

  /// The value of ``Parameter/tint``.
  public var tint: Double {
    get { self[.tint] }
    set { self[.tint] = newValue }
  }

  /// The value of ``Parameter/monochrome``.
  public var monochrome: Double {
    get { self[.monochrome] }
    set { self[.monochrome] = newValue }
  }

  /// The value of ``Parameter/sharpness``.
  public var sharpness: Double {
    get { self[.sharpness] }
    set { self[.sharpness] = newValue }
  }

  /// The value of ``Parameter/definition``.
  public var definition: Double {
    get { self[.definition] }
    set { self[.definition] = newValue }
  }

  /// The value of ``Parameter/noiseReduction``.
  public var noiseReduction: Double {
    get { self[.noiseReduction] }
    set { self[.noiseReduction] = newValue }
  }

  /// The value of ``Parameter/vignette``.
  public var vignette: Double {
    get { self[.vignette] }
    set { self[.vignette] = newValue }
  }

  /// The value of ``Parameter/grain``.
  public var grain: Double {
    get { self[.grain] }
    set { self[.grain] = newValue }
  }
}
