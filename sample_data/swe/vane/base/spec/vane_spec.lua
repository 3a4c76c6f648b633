local vane = require 'vane'

describe('a point of the compass', function()
  it('is named for the four winds', function()
    assert.are.equal('N', vane.point(0))
    assert.are.equal('E', vane.point(90))
    assert.are.equal('W', vane.point(270))
  end)

  it('is the nearest', function()
    assert.are.equal('SW', vane.point(215))
    assert.are.equal('S', vane.point(200))
  end)
end)

describe('a force', function()
  it('is 0 in a calm', function()
    assert.are.equal(0, vane.force(0))
  end)

  it('is 6 in a strong breeze', function()
    assert.are.equal(6, vane.force(12.5))
  end)

  it('is 12 in a hurricane', function()
    assert.are.equal(12, vane.force(40))
  end)
end)
