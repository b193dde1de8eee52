import RenderHelper

RenderHelper.run()
