import EditModel
import Glibc

/// How the camera was held when a photo was taken, by its accelerometer.
package struct CameraHold: Hashable, Sendable {
  /// The turn of what is shown against the upright, clockwise, in degrees: that of a horizon in the picture as displayed.
  package let lean: Double
  /// The angle of the camera's axis with the level, in degrees; positive where it looked up.
  package let pitch: Double
  /// The acceleration in units of gravity: 1 where the hand was still.
  package let strength: Double

  /// - Parameters:
  ///   - gravity: the accelerometer's numbers for a camera in the back of a phone, seen from its screen.
  ///   - orientation: the orientation in which the stored picture is displayed.
  /// - Returns: nil where gravity points to another side than the picture's lower one, or straight through it.
  init?(_ gravity: (right: Double, top: Double, out: Double), _ orientation: Orientation) {
    // As stored, the picture's right is the phone's lower end, and its top the phone's right side.
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
