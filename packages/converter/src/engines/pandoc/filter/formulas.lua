-- A \tag{1} is shown by programs that read TeX. For others it becomes text behind the formula, which pandoc would drop.

local settings = require 'settings'

return function(formula)
  if settings.holdsTex or not formula.text:find('\\tag', 1, true) then return nil end
  formula.text = formula.text:gsub('\\tag(%*?)%s*{([^{}]*)}', function(star, tag)
    return '\\qquad\\text{' .. (star == '*' and tag or '(' .. tag .. ')') .. '}'
  end)
  return formula
end
