# frozen_string_literal: true

require 'minitest/autorun'
require 'larder'

class TestList < Minitest::Test
  def test_amounts_of_one_unit_are_added
    list = Larder::List.new
    list.add('flour', Larder::Amount.new(1, 'kg')).add('flour', Larder::Amount.new(2, 'kg'))
    assert_equal ['flour: 3 kg'], list.lines
  end

  def test_other_units_stand_beside_each_other
    list = Larder::List.new
    list.add('milk', Larder::Amount.new(1, 'l')).add('milk', Larder::Amount.new(2, 'cups'))
    assert_equal ['milk: 1 l and 2 cups'], list.lines
  end
end
