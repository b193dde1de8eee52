; A curve of tones and stronger colours.
(define (recipe image drawable)
  (gimp-drawable-curves-spline drawable HISTOGRAM-VALUE 8 #(0.0 0.0 0.25 0.18 0.75 0.84 1.0 1.0))
  (gimp-drawable-hue-saturation drawable HUE-RANGE-ALL 4 0 25 0))
