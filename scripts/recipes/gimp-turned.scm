; Straightened by three degrees, cropped to what is left, and warmer.
(define (recipe image drawable)
  (let* ((width (car (gimp-image-width image)))
         (height (car (gimp-image-height image))))
    (gimp-context-set-interpolation INTERPOLATION-CUBIC)
    (gimp-context-set-transform-resize TRANSFORM-RESIZE-CLIP)
    (gimp-item-transform-rotate drawable (* 3 (/ 3.14159265 180)) TRUE 0 0)
    (gimp-image-crop image
      (trunc (* 0.84 width)) (trunc (* 0.82 height)) (trunc (* 0.08 width)) (trunc (* 0.09 height)))
    (gimp-drawable-color-balance drawable TRANSFER-MIDTONES TRUE 22 4 -28)
    (gimp-drawable-color-balance drawable TRANSFER-HIGHLIGHTS TRUE 8 0 -10)))
