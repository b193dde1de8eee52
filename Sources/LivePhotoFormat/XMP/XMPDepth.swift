import EditModel

/// Updates Apple's XMP for a depth map or a matte when the picture is cropped or straightened.
extension XMPPacket {
  private static let depthData = "http://ns.apple.com/depthData/1.0/"

  /// The properties that remain valid for any part of a picture: the interpretation of samples, and the strength of
  /// effects. Lens coefficients are also independent, because they refer to a distance in millimetres from the centre.
  private static let independentOfPlaces: Set<String> = [
    "Accuracy", "Quality", "Filtered", "PixelSize", "LensDistortionCoefficients",
    "InverseLensDistortionCoefficients", "RenderingParameters", "SimulatedAperture", "EffectStrength",
  ]

  /// The properties in ``independentOfPlaces`` that are meaningless without the other camera properties.
  private static let partsOfCamera: Set<String> = [
    "PixelSize", "LensDistortionCoefficients", "InverseLensDistortionCoefficients",
  ]

  /// The properties that depend on pixel positions, as in ``CameraCalibration``.
  private static let movedWithCamera: Set<String> = [
    "IntrinsicMatrix", "IntrinsicMatrixReferenceWidth", "IntrinsicMatrixReferenceHeight",
    "LensDistortionCenterOffsetX", "LensDistortionCenterOffsetY", "ExtrinsicMatrix",
  ]

  /// Updates the camera properties to describe a part of the picture. Properties that cannot be updated are removed.
  ///
  /// As in Photos, the rotation of the camera is included in the camera's pose. The columns of `ExtrinsicMatrix`
  /// contain a rotation from the camera's axes to the scene's axes, followed by the camera's position.
  ///
  /// - Parameter projection: The mapping from positions in the old map to positions in the new map, in fractions of
  ///   width and height.
  /// - Returns: The names of the removed properties.
  mutating func moveCamera(_ projection: PictureProjection) -> [String] {
    let hasCamera = moveCalibration(projection)
    var removed: [String] = []
    for property in properties {
      let (namespace, local) = (property.name.namespace, property.name.local)
      guard let group = Self.placeGroup(property.name, prefix: property.prefix),
        !["apdi", "HDRGainMap"].contains(group)
      else { continue }
      let isCamera = Self.movedWithCamera.contains(local) || Self.partsOfCamera.contains(local)
      let isTrue =
        namespace == Self.depthData && isCamera
        ? hasCamera : Self.independentOfPlaces.contains(local) || local.hasSuffix("Version")
      guard !isTrue else { continue }
      remove(property)
      removed.append("\(group):\(local)")
    }
    return removed.unique
  }

  /// Updates the camera calibration.
  ///
  /// - Returns: Whether the packet contained a complete camera calibration, which is now up to date.
  private mutating func moveCalibration(_ projection: PictureProjection) -> Bool {
    guard let width = number("IntrinsicMatrixReferenceWidth"),
      let height = number("IntrinsicMatrixReferenceHeight"), width.value >= 1, height.value >= 1,
      let matrix = numbers("IntrinsicMatrix"), matrix.count == 9
    else { return false }
    // The matrix is stored in column-major order.
    let k = matrix.map(\.value)
    guard k[1] == 0, k[2] == 0, k[5] == 0, k[8] == 1 else { return false }
    var camera = CameraCalibration(
      size: [width.value, height.value], x: [k[0], k[3], k[6]], y: [0, k[4], k[7]])
    let center = [number("LensDistortionCenterOffsetX"), number("LensDistortionCenterOffsetY")]
      .compactMap { $0 }
    if center.count == 2 { camera.distortionCenter = [center[0].value, center[1].value] }
    guard center.count != 1, let (moved, roll) = camera.moved(by: projection) else { return false }
    let values = [moved.x.x, 0, 0, moved.x.y, moved.y.y, 0, moved.x.z, moved.y.z, 1]
    let middle = moved.distortionCenter.map { [$0.x, $0.y] } ?? []
    var pairs = Array(zip(matrix, values)) + zip(center, middle)
    pairs += [(width, moved.size.x), (height, moved.size.y)]
    if roll != [1, 0], let pose = numbers("ExtrinsicMatrix") {
      guard pose.count == 12 else { return false }
      let p = pose.map(\.value)
      for row in 0..<3 {
        pairs.append((pose[row], p[row] * roll.x - p[row + 3] * roll.y))
        pairs.append((pose[row + 3], p[row] * roll.y + p[row + 3] * roll.x))
      }
    }
    guard pairs.allSatisfy({ abs($1) <= Self.greatest }) else { return false }
    for (old, value) in pairs where old.value != value { replace(old.range, with: Self.decimal(value)) }
    return true
  }

  /// A number and its range in the text.
  private typealias Number = (value: Double, range: Range<Int>)

  /// The maximum absolute value of a number. Numbers with a larger absolute value cannot be pixel coordinates in any
  /// picture.
  private static let greatest = 1e7

  private func number(_ text: (text: String, range: Range<Int>)?) -> Number? {
    guard let text, let value = Double(text.text), abs(value) <= Self.greatest else { return nil }
    return (value, text.range)
  }

  private func number(_ local: String) -> Number? { number(text(local, in: Self.depthData)) }

  /// Returns the numbers in an array property, or nil if an item is not a number.
  private func numbers(_ local: String) -> [Number]? {
    let property = properties(in: Self.depthData).first { $0.name.local == local }
    guard case .element(let element)? = property else { return nil }
    let items = descendants(of: element).filter { $0.name == .rdf("li") }
    let numbers = items.prefix(16).compactMap { number(tree.simpleText(of: $0)) }
    return numbers.count == items.count ? numbers : nil
  }

  /// Formats a number as decimal text with up to nine decimals.
  static func decimal(_ value: Double) -> String {
    var text = decimal(Int((value * 1e9).rounded()), places: 9)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
