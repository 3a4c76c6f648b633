--- Wind as sailors say it.
local vane = {}

local POINTS = { 'N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW' }
local LIMITS = { 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7 }

--- The point of the compass that a direction in degrees is nearest to.
function vane.point(degrees)
  local place = math.floor(degrees / 45 + 0.5)
  return POINTS[place + 1]
end

--- The force on Beaufort's scale of a wind in metres per second.
function vane.force(speed)
  for force, limit in ipairs(LIMITS) do
    if speed < limit then
      return force - 1
    end
  end
  return #LIMITS
end

return vane
