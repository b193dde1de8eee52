import Matching
import Testing

@Suite struct GeometryMatchTests {}
