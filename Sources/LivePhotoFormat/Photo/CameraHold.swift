import EditModel
import Glibc

/// How the camera was held when a photo was taken, according to its accelerometer.
package struct CameraHold: Hashable, Sendable {
  /// How far the displayed picture is rotated from upright, in degrees clockwise. The horizon is tilted by the same
  /// angle.
  package let lean: Double
  /// The angle between the camera's axis and the horizontal plane, in degrees. Positive values mean that the camera
  /// pointed up.
  package let pitch: Double
  /// The measured acceleration in units of gravity, which is 1 if the camera was held still.
  package let strength: Double

  /// Calculates how the camera was held.
  ///
  /// - Parameters:
  ///   - gravity: The accelerometer's values for a camera on the back of a phone, as seen from the phone's screen side.
  ///   - orientation: The orientation in which the stored picture is displayed.
  /// - Returns: Nil if gravity does not point towards the picture's bottom edge, or if gravity is almost perpendicular
  ///   to the picture plane.
  init?(_ gravity: (right: Double, top: Double, out: Double), _ orientation: Orientation) {
    // The right edge of the stored picture is at the bottom of the phone, and the top edge of the stored picture is at
    // the right edge of the phone.
    let stored = (right: -gravity.top, down: -gravity.right)
    let shown: (right: Double, down: Double)
    switch orientation {
    case .up: shown = stored
    case .right: shown = (-stored.down, stored.right)
    case .down: shown = (-stored.right, -stored.down)
    case .left: shown = (stored.down, -stored.right)
    default: return nil
    }
    let across = (shown.right * shown.right + shown.down * shown.down).squareRoot()
    strength = (across * across + gravity.out * gravity.out).squareRoot()
    guard shown.down > abs(shown.right), across > 0.2 else { return nil }
    lean = -atan2(shown.right, shown.down) * 180 / .pi
    pitch = atan2(gravity.out, across) * 180 / .pi
  }
}
